/** Cursor pages: newest first by id (UUIDv7), so a page stays where it is while new rows arrive in front of it. */
export interface PageRequest {
  limit: number;
  /** Only rows with a smaller id; null for the first page. */
  beforeId: string | null;
}

export interface Page<Row> {
  rows: Row[];
  /** Id of the last row where more follow; null at the end. */
  nextBeforeId: string | null;
}

/** @param rows up to `limit + 1` of them: the one too many says that there is a next page. */
export function pageOf<Row extends { id: string }>(rows: Row[], { limit }: PageRequest): Page<Row> {
  const shown = rows.slice(0, limit);
  return { rows: shown, nextBeforeId: rows.length > limit ? shown.at(-1)!.id : null };
}
