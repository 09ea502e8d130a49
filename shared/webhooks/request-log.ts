/**
 * The request headers of an attempt in the log. Most of them follow from the attempt's row, so that only the others are
 * kept: 250 bytes instead of 750 for each attempt. What HTTP itself adds (Host, Connection, Content-Length) is in neither.
 */
import { encodeId } from '../ids.ts';
import { fixedHeaders } from './delivery-headers.ts';

/** Stands for a value that may be a credential. */
const NOT_KEPT = '[not kept]';

/**
 * What to keep of headers that were sent.
 * @param customNames the endpoint's own: they may hold a credential, so that the log has their names only
 */
export function headersToKeep(
  sent: Readonly<Record<string, string>>,
  customNames: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of customNames) kept[name] = NOT_KEPT;
  for (const name of KEPT) {
    const value = sent[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

const KEPT = ['X-Service-Signature', 'webhook-signature', 'User-Agent'] as const;

/** The headers as they were sent, from what was kept; null where nothing was. */
export function shownHeaders(
  row: { id: string; event_id: string; event_type: string },
  kept: Record<string, string> | null,
): Record<string, string> | null {
  if (kept === null) return null;
  const seconds = /^t=(\d+)/.exec(kept['X-Service-Signature'] ?? '')?.[1];
  return {
    ...fixedHeaders({
      eventId: encodeId('evt', row.event_id),
      eventType: row.event_type,
      deliveryId: encodeId('dlv', row.id),
    }),
    ...(seconds === undefined ? {} : { 'webhook-timestamp': seconds }),
    ...kept,
  };
}
