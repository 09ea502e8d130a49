import { Anchor, Button, Code, Drawer, Group, List, NativeSelect, Stack, Text } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RemoteSelect, type Source } from '../../components/remote-select.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { EmptyState } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { useLast } from '../../components/use-last.ts';

type RequestError = Schemas['RequestError'];

const STATUSES = [400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503] as const;
const REFRESH_MS = 5_000;

/** The organization's keys, found by name; revoked ones too. */
const KEYS: Source = {
  path: '/api/v1/api-keys',
  id: 'keys',
  find: async (q) => (await api.get('/api/v1/api-keys', { query: { q, limit: 50 } })).data.map(optionOf),
  name: async (id) => optionOf(await api.get('/api/v1/api-keys/{id}', { path: { id } })),
};

function optionOf({ id, name }: { id: string; name: string }) {
  return { value: id, label: name };
}

export function Screen() {
  const { t } = useTranslation('developers');
  const [{ status, keyId, requestId }, setFilters] = useFilters();
  const [shown, setShown] = useState<RequestError | null>(null);
  const about = useLast(shown);
  const columns: Column<RequestError>[] = [
    {
      id: 'request',
      header: t('requestErrors.request'),
      cell: (error) => (
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="start"
          className="mono"
          dir="ltr"
          style={{ overflowWrap: 'anywhere' }}
          onClick={() => setShown(error)}
        >
          {error.method} {error.route}
        </Anchor>
      ),
    },
    {
      id: 'status',
      header: t('requestErrors.status'),
      cell: (error) => (
        <StatusBadge tone={error.status >= 500 ? 'bad' : 'warning'} label={String(error.status)} />
      ),
    },
    {
      id: 'code',
      header: t('requestErrors.code'),
      cell: ({ code, paths }) =>
        code === null ? (
          '–'
        ) : (
          <>
            <Code>{code}</Code>
            {paths.length > 0 && (
              <Text size="xs" c="dimmed" className="mono" dir="ltr" style={{ overflowWrap: 'anywhere' }}>
                {paths.join(', ')}
              </Text>
            )}
          </>
        ),
    },
    {
      id: 'who',
      header: t('requestErrors.who'),
      cell: ({ actor }) => <Who actor={actor} />,
    },
    {
      id: 'network',
      header: t('requestErrors.network'),
      cell: ({ network }) => <span className="mono">{network ?? '–'}</span>,
    },
    { id: 'id', header: t('requestErrors.requestId'), cell: (error) => <ShortId id={error.requestId} /> },
    { id: 'at', header: t('requestErrors.at'), cell: ({ at }) => <Time at={at} />, align: 'end' },
  ];
  const isFiltered = status !== undefined || keyId !== undefined || requestId !== undefined;
  return (
    <>
      <PageHeader title={t('requestErrors.title')} description={t('requestErrors.lead')} />
      <Group mb="sm" gap="sm">
        <SearchField
          label={t('requestErrors.byRequestId')}
          value={requestId ?? ''}
          onChange={(text) => setFilters({ requestId: text || undefined })}
        />
        <NativeSelect
          aria-label={t('requestErrors.status')}
          w={{ base: '100%', xs: 'auto' }}
          value={status ?? ''}
          onChange={(event) => setFilters({ status: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t('requestErrors.anyStatus') },
            ...STATUSES.map((each) => ({
              value: String(each),
              label: `${each} ${t(`requestErrors.statuses.${each}`)}`,
            })),
          ]}
        />
        <RemoteSelect
          source={KEYS}
          aria-label={t('requestErrors.key')}
          w={{ base: '100%', xs: 'auto' }}
          all={t('requestErrors.anybody')}
          value={keyId ?? ''}
          onChange={(id) => setFilters({ keyId: id || undefined })}
        />
      </Group>
      <DataTable
        path="/api/v1/request-errors"
        query={{ status: status === undefined ? undefined : Number(status), keyId, requestId }}
        label={t('requestErrors.title')}
        columns={columns}
        onOpen={setShown}
        refreshMs={REFRESH_MS}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconMoodSmile}
              title={t('requestErrors.noneFound')}
              action={
                <Button
                  variant="default"
                  onClick={() => setFilters({ status: undefined, keyId: undefined, requestId: undefined })}
                >
                  {t('requestErrors.showAll')}
                </Button>
              }
            />
          ) : (
            <EmptyState icon={IconMoodSmile} title={t('requestErrors.none')}>
              <Text size="sm">{t('requestErrors.noneText')}</Text>
            </EmptyState>
          )
        }
      />
      <Drawer
        opened={shown !== null}
        onClose={() => setShown(null)}
        position="right"
        size="lg"
        title={t('requestErrors.request')}
        closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
      >
        {about !== null && <Details error={about} />}
      </Drawer>
    </>
  );
}

function Who({ actor }: { actor: RequestError['actor'] }) {
  const name = actor.name ?? actor.id;
  return actor.kind === 'key' ? (
    <Anchor component={Link} to={`/developers/keys/${actor.id}`} inherit>
      {name}
    </Anchor>
  ) : (
    name
  );
}

function Details({ error }: { error: RequestError }) {
  const { t } = useTranslation('developers');
  const { method, route, status, code, detail, paths, actor, network, requestId, at } = error;
  return (
    <Stack>
      <Code block dir="ltr">
        {method} {route}
      </Code>
      <Text size="sm">
        {status} {t(`requestErrors.statuses.${status}`, { defaultValue: '' })}
        {code !== null && (
          <>
            {' '}
            <Code>{code}</Code>
          </>
        )}
      </Text>
      {detail !== null && (
        <Text size="sm" dir="ltr">
          {detail}
        </Text>
      )}
      {paths.length > 0 && (
        <section aria-label={t('requestErrors.fields')}>
          <Text size="sm" fw={550}>
            {t('requestErrors.fields')}
          </Text>
          <List size="sm">
            {paths.map((path, index) => (
              <List.Item key={index}>
                <Code dir="ltr">{path || '/'}</Code>
              </List.Item>
            ))}
          </List>
          <Text size="xs" c="dimmed" mt={4}>
            {t('requestErrors.fieldsHint')}
          </Text>
        </section>
      )}
      <Facts
        facts={[
          { label: t('requestErrors.who'), value: <Who actor={actor} /> },
          { label: t('requestErrors.network'), value: network && <span className="mono">{network}</span> },
          { label: t('requestErrors.requestId'), value: <ShortId id={requestId} /> },
          { label: t('requestErrors.at'), value: <Time at={at} /> },
        ]}
      />
    </Stack>
  );
}
