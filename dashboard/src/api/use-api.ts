/** Reading and changing through TanStack Query. */
import {
  MutationCache,
  QueryCache,
  hashKey,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { api, type LooseOptions, type Options, type PathsWith, type ResponseOf } from './client.ts';
import { ApiError } from './errors.ts';

const RETRIES = 2;

/** Somebody who is refused may have another role by now: what they are shown follows it. */
const askWhoOneIs = (error: Error): void => {
  if (error instanceof ApiError && error.isForbidden)
    void queryClient.invalidateQueries({ queryKey: ['/api/v1/auth/me'] });
};

/** Only what may pass by itself is tried again; the service says when in `Retry-After`. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: askWhoOneIs }),
  mutationCache: new MutationCache({ onError: askWhoOneIs }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) =>
        failures < RETRIES && error instanceof ApiError && error.isPassing && !error.isLate,
      retryDelay: (failures, error) => {
        const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
        return asked === null ? 500 * 2 ** failures : Math.min(asked, 30) * 1000;
      },
    },
    // Not kept for when the network is back: by then somebody may have given it up, and it is said at once that it failed.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** The key under which a GET is cached; its first part is the path, so that `useChange` can name what it makes stale. */
export const keyOf = (template: string, options: LooseOptions = {}): readonly unknown[] => [
  template,
  options.path ?? {},
  options.query ?? {},
];

type GetOptions<P extends PathsWith<'get'>> = Omit<Options<P, 'get'>, 'signal' | 'idempotencyKey'>;

export type QueryExtras<T> = Pick<
  UseQueryOptions<T, ApiError>,
  'enabled' | 'refetchInterval' | 'refetchOnMount' | 'staleTime' | 'placeholderData'
>;

/** Another page or filter of the same thing shows what was there until its answer comes; another thing never does. */
const keepOfSameThing =
  (key: readonly unknown[]) =>
  <T>(before: T | undefined, query: { queryKey: QueryKey } | undefined): T | undefined =>
    hashKey(query?.queryKey.slice(0, 2) ?? []) === hashKey(key.slice(0, 2)) ? before : undefined;

/**
 *   const product = useApi('/api/v1/products/{id}', { path: { id } });
 *
 * What was shown stays while another page or filter of it loads (`isPlaceholderData`).
 */
export function useApi<P extends PathsWith<'get'>>(
  template: P,
  options: GetOptions<P>,
  extras: QueryExtras<ResponseOf<P>> = {},
): UseQueryResult<ResponseOf<P>, ApiError> {
  const loose = options as LooseOptions;
  const queryKey = keyOf(template, loose);
  return useQuery<ResponseOf<P>, ApiError>({
    queryKey,
    queryFn: ({ signal }) =>
      (api.get as (template: P, options: object) => Promise<ResponseOf<P>>)(template, { ...loose, signal }),
    placeholderData: keepOfSameThing(queryKey) as never,
    ...extras,
  });
}

/** The same for the same input; a file is like no other. */
const nameOf = (input: unknown): string =>
  JSON.stringify([input], (_, value: unknown) =>
    value instanceof Blob || value instanceof FormData ? crypto.randomUUID() : value,
  );

/** What waits for somebody may be done by whatever is changed; it is read again only where it is shown. */
const ATTENTION = '/api/v1/attention';

/**
 *   const archive = useChange((id: string) => api.post('/api/v1/products/{id}/archive', { path: { id } }), ['/api/v1/products']);
 *
 * Pressed twice it is made once, until it is done and what it made stale is there again.
 *
 * @param stale paths whose cached answers are asked for again afterwards, with everything below them.
 */
export function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  stale: readonly string[] = [],
) {
  const client = useQueryClient();
  const underWay = useRef(new Map<string, Promise<Output>>());
  const renew = () =>
    client.invalidateQueries({
      predicate: ({ queryKey }) => [ATTENTION, ...stale].some((path) => String(queryKey[0]).startsWith(path)),
    });
  return useMutation<Output, ApiError, Input>({
    mutationFn: (input) => {
      const name = nameOf(input);
      const other = underWay.current.get(name);
      if (other !== undefined) return other;
      const isOver = () => underWay.current.delete(name);
      const output = change(input).then(
        async (result) => {
          // What has no input of its own may be about something else by the time that all is read again.
          if (input === undefined) isOver();
          await renew().finally(isOver);
          return result;
        },
        (error: unknown) => {
          isOver();
          throw error;
        },
      );
      underWay.current.set(name, output);
      return output;
    },
    // Somebody else was faster: what is shown is not how it is.
    onError: ({ code }) => {
      if (code === 'CONFLICT' || code === 'INVALID_TRANSITION') void renew();
    },
  });
}
