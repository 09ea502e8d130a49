import type { Trace, TraceScan } from './trace.ts';

/** A scan as a line of `risk:replay` that names no lot; times are ISO 8601. */
export const lineOf = (
  { unitId, markets, activatedAt }: Trace,
  { scanId, at, place, sessionId, networkId }: TraceScan,
) => ({
  scanId,
  unitId,
  at: new Date(at).toISOString(),
  lat: place?.lat ?? null,
  lon: place?.lon ?? null,
  accuracyKm: place?.accuracyKm ?? null,
  country: place?.country ?? null,
  source: place?.source,
  sessionId,
  networkId,
  markets,
  activatedAt: new Date(activatedAt).toISOString(),
});
