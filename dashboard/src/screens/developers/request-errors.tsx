import { Button, Code, Group, NativeSelect, Text } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../api/use-api.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { EmptyState } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../components/use-filters.ts';

type RequestError = Schemas['RequestError'];

const STATUSES = [400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503] as const;
const REFRESH_MS = 5_000;

export function Screen() {
  const { t } = useTranslation('developers');
  const [{ status, keyId, requestId }, setFilters] = useFilters();
  const keys = useApi('/api/v1/api-keys', { query: { limit: 100 } });
  const columns: Column<RequestError>[] = [
    {
      id: 'request',
      header: t('requestErrors.request'),
      cell: ({ method, route }) => (
        <span className="mono" dir="ltr" style={{ overflowWrap: 'anywhere' }}>
          {method} {route}
        </span>
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
      cell: ({ code }) => (code === null ? '–' : <Code>{code}</Code>),
    },
    {
      id: 'who',
      header: t('requestErrors.who'),
      cell: ({ actor }) =>
        actor.kind === 'key' ? (
          <Link to={`/developers/keys/${actor.id}`}>{actor.name ?? actor.id}</Link>
        ) : (
          (actor.name ?? actor.id)
        ),
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
        <NativeSelect
          aria-label={t('requestErrors.key')}
          value={keyId ?? ''}
          onChange={(event) => setFilters({ keyId: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t('requestErrors.anybody') },
            ...(keys.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </Group>
      <DataTable
        path="/api/v1/request-errors"
        query={{ status: status === undefined ? undefined : Number(status), keyId, requestId }}
        label={t('requestErrors.title')}
        columns={columns}
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
    </>
  );
}
