/** Events forget a visitor's own position as scans do (docs/privacy.md); until then they tell it to the organization's systems. */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import { RETENTION_BATCH, walkAged, type RetentionStep } from '../retention/walk.ts';
import { coarsePlace, coarseSignals } from '../risk/coarse.ts';
import { forgetAnswers, listAgedPlaces, replaceData, type PlacedData } from './repository.ts';

/** Not "events": under that name an earlier release goes by the radius, and leaves positions of visitors as they are. */
const RULE = 'event-places';

const coarseData = ({ place, signals, ...data }: PlacedData): PlacedData => ({
  ...data,
  place: place && coarsePlace(place),
  signals: coarseSignals(signals),
});

const makeCoarse: RetentionStep = async (db, fromId, toId, batch) => {
  const aged = await listAgedPlaces(db, fromId, toId, batch);
  const told = aged.flatMap(({ id, data }) => (data === null ? [] : [{ id, data }]));
  if (told.length > 0)
    await replaceData(
      db,
      told.map(({ id, data }) => ({ id, data: coarseData(data) })),
    );
  // Evidence was coarse when it was told.
  const exact = told.filter(({ data: { place } }) => (place ? (place.source ?? 'gps') === 'gps' : false));
  if (exact.length > 0)
    await forgetAnswers(
      db,
      exact.map(({ id }) => id),
    );
  return { rows: aged.length, last: aged.at(-1)?.id ?? null };
};

/**
 * Makes exact positions coarse in all events of that age, and all of their evidence.
 * @param days until then. @returns how many events were looked at.
 */
export const makeEventsCoarse = (
  deps: { db: Pool; clock: Clock },
  days: number,
  batch = RETENTION_BATCH,
): Promise<number> => walkAged(deps, RULE, makeCoarse, days, batch);
