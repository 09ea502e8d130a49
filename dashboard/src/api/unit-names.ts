/** Serials and lots of units by id: the units that one screen shows are asked for in one request. */
import { useQuery } from '@tanstack/react-query';
import { api } from './client.ts';
import { useApi } from './use-api.ts';
import type { Schemas } from './types.gen.ts';

type Unit = Schemas['ProductUnit'];

/** As many as one page of the list holds. */
const AT_ONCE = 200;
const STALE_MS = 60_000;

interface Asked {
  promise: Promise<Unit | null>;
  resolve: (unit: Unit | null) => void;
  reject: (error: unknown) => void;
}

let waiting = new Map<string, Asked>();

function newlyAsked(): Asked {
  let settle!: Omit<Asked, 'promise'>;
  const promise = new Promise<Unit | null>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...settle };
}

async function ask(batch: Map<string, Asked>): Promise<void> {
  const ids = [...batch.keys()];
  try {
    const found = new Map<string, Unit>();
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const some = ids.slice(from, from + AT_ONCE);
      const page = await api.get('/api/v1/product-units', { query: { ids: some.join(','), limit: AT_ONCE } });
      for (const unit of page.data) found.set(unit.id, unit);
    }
    for (const [id, { resolve }] of batch) resolve(found.get(id) ?? null);
  } catch (error) {
    for (const { reject } of batch.values()) reject(error);
  }
}

function readUnit(id: string): Promise<Unit | null> {
  if (waiting.size === 0)
    setTimeout(() => {
      const batch = waiting;
      waiting = new Map();
      void ask(batch);
    });
  const known = waiting.get(id) ?? newlyAsked();
  waiting.set(id, known);
  return known.promise;
}

/** A unit among many on one screen; undefined while it is asked for, null where it cannot be read. */
export function useUnit(id: string | null): Unit | null | undefined {
  const { data, isError } = useQuery({
    queryKey: ['/api/v1/product-units', 'by id', id],
    queryFn: () => readUnit(id!),
    enabled: id !== null,
    staleTime: STALE_MS,
  });
  return isError || id === null ? null : data;
}

/** A product's name; undefined while it is asked for, null where it cannot be read. */
export function useProductName(id: string | null): string | null | undefined {
  const { data, isError } = useApi(
    '/api/v1/products/{id}',
    { path: { id: id ?? '' } },
    { enabled: id !== null, staleTime: STALE_MS },
  );
  return isError || id === null ? null : data?.name;
}
