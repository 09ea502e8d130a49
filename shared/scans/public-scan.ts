/** A scan as the API shows it and as exports write it: no address, no browser, no session of the visitor. */
import { encodeIds } from '../ids.ts';
import type { RiskLevel } from '../risk/types.ts';
import type { ScanRow } from './list-repository.ts';

/** Of the hidden code that was entered with the scan; null where none was. */
const hiddenCodeOf = ({ hidden_code_correct: isCorrect }: ScanRow): 'correct' | 'wrong' | null => {
  if (isCorrect === null) return null;
  return isCorrect ? 'correct' : 'wrong';
};

export const publicScans = (rows: readonly ScanRow[]) => {
  const ids = encodeIds(
    'scan',
    rows.map((row) => row.id),
  );
  const units = encodeIds(
    'unit',
    rows.map((row) => row.unit_id),
  );
  const products = encodeIds(
    'prod',
    rows.map((row) => row.product_id),
  );
  const batches = encodeIds(
    'batch',
    rows.map((row) => row.batch_id),
  );
  return rows.map((row, index) => ({
    id: ids[index]!,
    productUnitId: units[index]!,
    productId: products[index]!,
    batchId: batches[index]!,
    at: row.at.toISOString(),
    result: row.result,
    isInternal: row.is_internal,
    hiddenCode: hiddenCodeOf(row),
    nfcTap: row.nfc_tap,
    assessment: row.assessment,
    country: row.country,
    place:
      row.lat === null || row.lon === null
        ? null
        : { lat: row.lat, lon: row.lon, accuracyKm: row.accuracy_km, source: row.place_source },
    claimedPosition:
      row.claimed_lat === null || row.claimed_lon === null
        ? null
        : { lat: row.claimed_lat, lon: row.claimed_lon, accuracyKm: row.claimed_accuracy_km },
    risk: {
      level: row.risk_level as RiskLevel,
      score: row.risk_score,
      signals: row.signals.map((signal) => ({ ...signal })),
    },
  }));
};

export type PublicScan = ReturnType<typeof publicScans>[number];
