/** Products to choose from in a {@link RemoteSelect}. */
import { api } from '../api/client.ts';
import type { Source } from './remote-select.tsx';

const PATH = '/api/v1/products';

const named = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });

const withSku = ({ id, name, sku }: { id: string; name: string; sku: string }) => ({
  value: id,
  label: `${name} · ${sku}`,
});

/** Those to work with, found by name, SKU, brand or GTIN. */
export const PRODUCTS: Source = {
  path: PATH,
  id: 'products',
  find: async (q) => (await api.get(PATH, { query: { q, limit: 20 } })).data.map(withSku),
  name: async (id) => withSku(await api.get(`${PATH}/{id}`, { path: { id } })),
};

/** Those that something may be of, archived ones too. */
export const ALL_PRODUCTS: Source = {
  path: PATH,
  id: 'all products',
  find: async (q) => (await api.get(PATH, { query: { archived: 'all', q, limit: 50 } })).data.map(named),
  name: async (id) => named(await api.get(`${PATH}/{id}`, { path: { id } })),
};
