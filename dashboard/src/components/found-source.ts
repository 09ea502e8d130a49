import { api, type ResponseOf } from '../api/client.ts';
import { useApi } from '../api/use-api.ts';
import type { Source } from './remote-select.tsx';

type Hit = ResponseOf<'/api/v1/search'>['data'][number];

const PATH = '/api/v1/search';
const LONGEST = 200;

const optionOf = ({ id, title, subtitle }: Hit) => ({
  value: id,
  label: subtitle === null ? title : `${title} · ${subtitle}`,
});

const hitsFor = async (q: string) => (await api.get(PATH, { query: { q: q.slice(0, LONGEST) } })).data;

/** Things of a kind, found by typing their name, lot, serial, reference or id; none before that. */
export const foundOf = (type: Hit['type']): Source => ({
  path: PATH,
  id: type,
  find: async (q) =>
    q === undefined ? [] : (await hitsFor(q)).filter((hit) => hit.type === type).map(optionOf),
  async name(id) {
    const hit = (await hitsFor(id)).find((one) => one.id === id);
    return hit === undefined ? { value: id, label: id } : optionOf(hit);
  },
});

/** What an id names; undefined while it is asked for, null where it cannot be read. */
export function useNameOf(id: string): Hit | null | undefined {
  const { data, isError } = useApi(PATH, { query: { q: id } });
  if (data === undefined) return isError ? null : undefined;
  return data.data[0] ?? null;
}
