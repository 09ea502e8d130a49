/** Hands something that is in memory to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the blob by the time of the next task.
  setTimeout(() => URL.revokeObjectURL(address));
}
