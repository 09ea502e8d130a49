import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { send } from '../../api/client.ts';
import type { ApiError } from '../../api/errors.ts';
import { previewBody, type Values } from './form-values.ts';

/** Long enough for a word, short enough to seem at once. */
const PAUSE_MS = 250;
const PATH = '/api/v1/barcodes/preview';

export interface Picture {
  svg: string;
  /** What the symbol holds. */
  payload: string;
  /** Who can open the address in it. */
  reach: 'public' | 'plain' | 'private' | 'none';
}

export interface Preview {
  /** The last that could be drawn; stays while the next is on its way, and where the next is impossible. */
  picture: Picture | null;
  /** That of what is chosen; null where that is impossible. While it is on its way, what was before. */
  chosen: Picture | null;
  error: ApiError | null;
  isLoading: boolean;
}

/** The real symbol, or the first sheet of labels, as the form stands. */
export function usePreview(values: Values, as: 'svg' | 'sheet-svg', enabled = true): Preview {
  // Another file of serials changes what the same request shows.
  const [asked] = useDebouncedValue(JSON.stringify([previewBody(values, as), values.upload]), PAUSE_MS);
  const query = useQuery<Picture, ApiError>({
    queryKey: [PATH, asked],
    queryFn: async ({ signal }) => {
      const [body] = JSON.parse(asked) as [unknown, unknown];
      const response = await send('post', PATH, { body, signal });
      const payload = decodeURIComponent(response.headers.get('x-barcode-payload') ?? '');
      const reach = (response.headers.get('x-barcode-reach') ?? 'none') as Picture['reach'];
      return { svg: await response.text(), payload, reach };
    },
    enabled,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
  const last = useRef<Picture | null>(null);
  const chosen = useRef<Picture | null>(null);
  if (query.data !== undefined) last.current = chosen.current = query.data;
  else if (query.error !== null) chosen.current = null;
  return {
    picture: query.data ?? last.current,
    chosen: chosen.current,
    error: query.error,
    isLoading: query.isFetching,
  };
}
