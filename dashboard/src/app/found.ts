/** What the service finds while somebody types in the palette, and where each thing is opened. */
import { IconSearch, type Icon } from '@tabler/icons-react';
import { useDebouncedValue } from '@mantine/hooks';
import type { ResponseOf } from '../api/client.ts';
import { useApi } from '../api/use-api.ts';
import { AREAS } from './area.ts';

export type Hit = ResponseOf<'/api/v1/search'>['data'][number];

const PAUSE_MS = 150;
const LONGEST = 200;

/** The screen of a kind, as its area names the route. */
const SCREENS: Record<Hit['type'], string> = {
  product: '/products/$id',
  batch: '/batches/$id',
  unit: '/units/$id',
  consignment: '/consignments/$id',
  barcodeJob: '/minting/$id',
  scan: '/scans/$id',
  riskCase: '/cases/$id',
  report: '/reports/$id',
  recall: '/recalls/$id',
  webhookEndpoint: '/developers/webhooks/$id',
};

const ROUTES = new Set(AREAS.flatMap(({ routes }) => routes.map(({ path }) => path)));

/** @returns where a hit is opened and the sign of its area; null where it has no screen. */
export function placeOf({ type, id }: Hit): { to: string; icon: Icon } | null {
  const path = SCREENS[type];
  if (!ROUTES.has(path)) return null;
  const list = path.slice(0, -'/$id'.length);
  const icon = AREAS.flatMap(({ nav }) => nav).find(({ to }) => to === list)?.icon ?? IconSearch;
  return { to: path.replace('$id', id), icon };
}

interface Found {
  hits: readonly Hit[];
  isSearching: boolean;
  error: Error | null;
}

export function useFound(typed: string): Found {
  const text = typed.trim().slice(0, LONGEST);
  const [q] = useDebouncedValue(text, PAUSE_MS);
  const found = useApi('/api/v1/search', { query: { q } }, { enabled: q !== '' });
  const isCurrent = q !== '' && q === text && !found.isPlaceholderData;
  return {
    hits: isCurrent ? (found.data?.data ?? []) : [],
    isSearching: text !== '' && (q !== text || found.isFetching),
    error: found.error,
  };
}
