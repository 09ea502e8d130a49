/** What a scan can come to, in the order in which the bars stand on each other, with its colour. */
import { TONES, type MapTone } from '../../components/world-map.tsx';

export const RESULTS: readonly { result: string; color: string }[] = [
  { result: 'genuine', color: TONES.good },
  { result: 'diverted', color: TONES.warning },
  { result: 'suspicious', color: TONES.bad },
  { result: 'recalled', color: TONES.info },
  { result: 'suspended', color: 'light-dark(#7a5ba6, #b79be0)' },
  { result: 'expired', color: 'light-dark(#8d857a, #9a9286)' },
  { result: 'inactive', color: 'light-dark(#bdb5a8, #5f584e)' },
];

export const countOf = (byResult: Readonly<Record<string, number>>, result: string): number =>
  byResult[result] ?? 0;

export const POINTS: readonly { result: 'suspicious' | 'diverted'; tone: MapTone }[] = [
  { result: 'diverted', tone: 'warning' },
  { result: 'suspicious', tone: 'bad' },
];
