import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import { useApi } from '../api/use-api.ts';
import { useMe } from '../auth/me.ts';
import { RemoteSelect, type RemoteOption, type RemoteSelectProps, type Source } from './remote-select.tsx';
import { ShortId } from './short-id.tsx';

const PATH = '/api/v1/people';
const STALE_MS = 60_000;

const optionOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });

const nameOf = async (id: string) => {
  const { data } = await api.get(PATH, { query: { id } });
  return data[0] === undefined ? { value: id, label: id } : optionOf(data[0]);
};

/** Everybody of the organization, found by name; also whoever may not sign in any more. */
export const PEOPLE: Source = {
  path: PATH,
  id: 'people',
  find: async (q) => (await api.get(PATH, { query: { q, limit: 50 } })).data.map(optionOf),
  name: nameOf,
};

/** Somebody's name; a dash for nobody. */
export function Person({ id }: { id: string | null }) {
  const { t } = useTranslation();
  const isPerson = id !== null && !id.startsWith('key_');
  // A page's worth in one request names nearly everybody; whoever is not among them is asked for alone.
  const people = useApi(PATH, { query: { limit: 200 } }, { enabled: isPerson, staleTime: STALE_MS });
  const known = people.data?.data.find((person) => person.id === id)?.name;
  const isFurther = isPerson && people.data !== undefined && known === undefined;
  const further = useApi(PATH, { query: { id: id ?? '' } }, { enabled: isFurther, staleTime: STALE_MS });
  if (id === null) return '–';
  if (!isPerson)
    return (
      <>
        {t('people.key')} <ShortId id={id} />
      </>
    );
  return known ?? (isFurther ? further.data?.data[0]?.name : undefined) ?? <ShortId id={id} />;
}

/** Whose it is: filters a list, or gives something to somebody. `null` is nobody. */
export function PersonSelect({
  value,
  onChange,
  nobody,
  ...props
}: Pick<RemoteSelectProps, 'description' | 'disabled' | 'label' | 'readOnly' | 'w'> & {
  value: string | null;
  onChange: (id: string | null) => void;
  /** The word for none: "Anybody", "Nobody". */
  nobody: string;
}) {
  const { t } = useTranslation();
  const me = useMe();
  const asMe = (option: RemoteOption): RemoteOption =>
    option.value === me?.id ? { ...option, label: t('people.me', { name: option.label }) } : option;
  const source: Source = {
    path: PATH,
    id: 'people at work',
    find: async (q) => {
      const { data } = await api.get(PATH, { query: { q, limit: 50 } });
      return data.filter(({ active }) => active).map((person) => asMe(optionOf(person)));
    },
    name: async (id) => asMe(await nameOf(id)),
  };
  return (
    <RemoteSelect
      source={source}
      all={nobody}
      value={value ?? ''}
      onChange={(id) => onChange(id || null)}
      {...props}
    />
  );
}
