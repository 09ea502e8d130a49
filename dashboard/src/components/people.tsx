import { Select, type SelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useApi } from '../api/use-api.ts';
import { useMay, useMe } from '../auth/me.ts';
import { ShortId } from './short-id.tsx';

/** Everybody of the organization, by id; only oneself where one may not list them. */
export function usePeople(): { id: string; name: string; isActive: boolean }[] {
  const me = useMe();
  const isAllowed = useMay('users.read');
  const { data } = useApi(
    '/api/v1/users',
    { query: { limit: 200 } },
    { enabled: isAllowed, staleTime: 60_000 },
  );
  const people = (data?.data ?? []).map(({ id, name, email, disabled }) => ({
    id,
    name: name ?? email,
    isActive: !disabled,
  }));
  if (me === null || people.some(({ id }) => id === me.id)) return people;
  return [{ id: me.id, name: me.name ?? me.email, isActive: true }, ...people];
}

/** Somebody's name; a dash for nobody. */
export function Person({ id }: { id: string | null }) {
  const { t } = useTranslation();
  const people = usePeople();
  if (id === null) return '–';
  if (id.startsWith('key_'))
    return (
      <>
        {t('people.key')} <ShortId id={id} />
      </>
    );
  return people.find((person) => person.id === id)?.name ?? <ShortId id={id} />;
}

/** Whose it is: filters a list, or gives something to somebody. `null` is nobody. */
export function PersonSelect({
  value,
  onChange,
  nobody,
  ...props
}: Omit<SelectProps, 'data' | 'onChange' | 'value'> & {
  value: string | null;
  onChange: (id: string | null) => void;
  /** The word for none: "Anybody", "Nobody". */
  nobody: string;
}) {
  const { t } = useTranslation();
  const me = useMe();
  const people = usePeople().filter(({ id, isActive }) => isActive || id === value);
  const data = people.map(({ id, name }) => ({
    value: id,
    label: id === me?.id ? t('people.me', { name }) : name,
  }));
  // Somebody whom this person may not look up.
  if (value !== null && !people.some(({ id }) => id === value)) data.push({ value, label: value });
  return (
    <Select
      data={[{ value: '', label: nobody }, ...data]}
      value={value ?? ''}
      onChange={(id) => onChange(id || null)}
      allowDeselect={false}
      {...props}
    />
  );
}
