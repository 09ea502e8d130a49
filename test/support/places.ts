import { openPlaces, type Places } from '../../shared/places/places.ts';

let opened: Promise<Places> | undefined;

/** The real database of places, read once for a whole run (84 MB). */
export function testPlaces(): Promise<Places> {
  opened ??= openPlaces();
  return opened;
}

/** Addresses whose country has been the same since the 1980s, by country. Berlin's is of a fixed line, the others are of unknown kind. */
export const ADDRESSES = {
  DE: '141.20.1.1',
  JP: '133.11.0.1',
  US: '18.9.22.69',
  BR: '143.107.1.1',
} as const;
