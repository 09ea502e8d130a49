/** Safari reads the blob only when its download begins, which may be after a question to the user. */
const KEPT_MS = 60_000;

/** Hands something that is in memory to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
