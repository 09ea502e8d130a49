import { Anchor, Button, Code, Drawer, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { DayField } from '../../components/day-field.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { PEOPLE } from '../../components/people.tsx';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { useLast } from '../../components/use-last.ts';
import { useFormats } from '../../i18n/format.ts';
import { instantsOf } from '../../i18n/zone-days.ts';
import { SettingsPage } from './settings-page.tsx';

type Entry = Schemas['AuditEntry'];

/** What an operation did, in words; its id where it has none yet. */
function useActionWords(): (action: string) => string {
  const { t } = useTranslation('settings');
  return (action) => t(`audit.actions.${action}`, { defaultValue: action });
}

/** Every action that has words, in the order of the alphabet. */
function useActions(): { value: string; label: string }[] {
  const { t, i18n } = useTranslation('settings');
  const texts = t('audit.actions', { returnObjects: true }) as Record<string, string>;
  return Object.entries(texts)
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label, i18n.language));
}

export function Screen() {
  const { t } = useTranslation('settings');
  const [{ action, actor, resource, from, to }, setFilters] = useFilters();
  const [shown, setShown] = useState<Entry | null>(null);
  const about = useLast(shown);
  const words = useActionWords();
  const actions = useActions();
  const { timeZone } = useFormats();
  // Days of the organization's time zone, and the last one counts whole.
  const query = { action, actor, resource, ...instantsOf(from, to, timeZone) };
  const columns: Column<Entry>[] = [
    {
      id: 'action',
      header: t('audit.action'),
      cell: (entry) => (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setShown(entry)}>
          {words(entry.action)}
        </Anchor>
      ),
    },
    { id: 'actor', header: t('audit.actor'), cell: (entry) => <Actor entry={entry} /> },
    {
      id: 'resource',
      header: t('audit.resource'),
      cell: (entry) => (entry.resource === null ? '–' : <ShortId id={entry.resource} />),
    },
    { id: 'ip', header: t('audit.ip'), cell: ({ ip }) => <span className="mono">{ip ?? '–'}</span> },
    { id: 'at', header: t('audit.at'), cell: ({ at }) => <Time at={at} />, align: 'end' },
  ];
  return (
    <SettingsPage
      title={t('audit.title')}
      lead={t('audit.lead')}
      actions={<CsvButton path="/api/v1/audit-log/export" query={query} name="audit-log.csv" />}
    >
      <Group mb="sm" gap="sm" align="flex-end">
        <SearchField
          label={t('audit.byResource')}
          value={resource ?? ''}
          onChange={(text) => setFilters({ resource: text || undefined })}
        />
        <NativeSelect
          label={t('audit.action')}
          w={{ base: '100%', xs: 210 }}
          value={action ?? ''}
          onChange={(event) => setFilters({ action: event.currentTarget.value || undefined })}
          data={[{ value: '', label: t('audit.anyAction') }, ...actions]}
        />
        <RemoteSelect
          source={PEOPLE}
          label={t('audit.actor')}
          all={t('audit.anybody')}
          w={{ base: '100%', xs: 210 }}
          value={actor ?? ''}
          onChange={(id) => setFilters({ actor: id || undefined })}
        />
        <DayField
          label={t('audit.from')}
          w={{ base: 'calc(50% - 6px)', xs: 'auto' }}
          value={from ?? ''}
          onChange={(day) => setFilters({ from: day || undefined })}
        />
        <DayField
          label={t('audit.to')}
          w={{ base: 'calc(50% - 6px)', xs: 'auto' }}
          value={to ?? ''}
          onChange={(day) => setFilters({ to: day || undefined })}
        />
      </Group>
      <DataTable
        path="/api/v1/audit-log"
        query={query}
        label={t('audit.title')}
        columns={columns}
        onOpen={setShown}
        empty={
          <EmptyState
            icon={IconHistory}
            title={t('audit.none')}
            action={
              <Button
                variant="default"
                onClick={() =>
                  setFilters({
                    action: undefined,
                    actor: undefined,
                    resource: undefined,
                    from: undefined,
                    to: undefined,
                  })
                }
              >
                {t('audit.showAll')}
              </Button>
            }
          />
        }
      />
      <Drawer
        opened={shown !== null}
        onClose={() => setShown(null)}
        position="right"
        size="xl"
        title={about === null ? '' : words(about.action)}
        closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
      >
        {about !== null && <Details entry={about} />}
      </Drawer>
    </SettingsPage>
  );
}

function Actor({ entry }: { entry: Entry }) {
  const { t } = useTranslation('settings');
  const { kind, name } = entry.actor;
  return name ?? t(`audit.kinds.${kind}`);
}

const shownAs = (value: unknown): string =>
  value === undefined || value === null
    ? '–'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 1);

function Details({ entry }: { entry: Entry }) {
  const { t } = useTranslation('settings');
  const fields = [...new Set([...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})])];
  return (
    <Stack>
      <Facts
        facts={[
          { label: t('audit.operation'), value: <Code>{entry.action}</Code> },
          { label: t('audit.actor'), value: <Actor entry={entry} /> },
          { label: t('audit.at'), value: <Time at={entry.at} /> },
          { label: t('audit.resource'), value: entry.resource && <ShortId id={entry.resource} /> },
          { label: t('audit.ip'), value: entry.ip && <span className="mono">{entry.ip}</span> },
          { label: t('audit.requestId'), value: entry.requestId && <ShortId id={entry.requestId} /> },
        ]}
      />
      {entry.userAgent !== null && (
        <Text size="xs" c="dimmed">
          {entry.userAgent}
        </Text>
      )}
      {fields.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('audit.noFields')}
        </Text>
      ) : (
        <Table aria-label={t('audit.changes')} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('audit.field')}</Table.Th>
              <Table.Th scope="col">{t('audit.before')}</Table.Th>
              <Table.Th scope="col">{t('audit.after')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">
                  <span className="mono">{field}</span>
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{shownAs(entry.before?.[field])}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{shownAs(entry.after?.[field])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
