import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import type { Source } from '../../components/remote-select.tsx';
import { batchName } from './columns.tsx';

const PATH = '/api/v1/batches';

const optionOf = (batch: Schemas['Batch']) => ({ value: batch.id, label: batchName(batch) });

/** Batches, found by lot or product; of one product, where it is given. */
export const batchesOf = (productId: string | undefined): Source => ({
  path: PATH,
  id: `batches of ${productId ?? 'every product'}`,
  find: async (q) => (await api.get(PATH, { query: { q, productId, limit: 20 } })).data.map(optionOf),
  name: async (id) => optionOf(await api.get(`${PATH}/{id}`, { path: { id } })),
});

export const BATCHES = batchesOf(undefined);
