import { Button } from '@mantine/core';
import { IconPlus, IconShieldCheck, IconWebhook } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../auth/me.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { EmptyState } from '../../components/states.tsx';
import { CircuitBadge, SuccessRate, type Endpoint } from './circuit.tsx';

const REFRESH_MS = 5_000;

/** `https://` says nothing among addresses that all begin so. */
const shortUrl = (url: string): string => url.replace(/^https:\/\//, '');

export function Screen() {
  const { t } = useTranslation('developers');
  const mayWrite = useMay('webhooks.write');
  const columns: Column<Endpoint>[] = [
    {
      id: 'url',
      header: t('webhooks.url'),
      cell: (endpoint) => (
        <span dir="ltr" style={{ overflowWrap: 'anywhere' }}>
          {shortUrl(endpoint.url)}
        </span>
      ),
    },
    { id: 'description', header: t('webhooks.description'), cell: (endpoint) => endpoint.description ?? '–' },
    {
      id: 'events',
      header: t('webhooks.events'),
      cell: ({ events }) =>
        events.includes('*') ? t('webhooks.allEvents') : t('webhooks.eventCount', { count: events.length }),
    },
    {
      id: 'rate',
      header: t('webhooks.rate'),
      cell: (endpoint) => <SuccessRate endpoint={endpoint} />,
      align: 'end',
    },
    { id: 'state', header: t('state'), cell: (endpoint) => <CircuitBadge endpoint={endpoint} /> },
  ];
  const create = mayWrite && (
    <Button component={Link} to="/developers/webhooks/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {t('webhooks.new')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('webhooks.title')}
        description={t('webhooks.lead')}
        actions={
          <>
            <Button
              component={Link}
              to="/developers/webhooks/verify"
              variant="default"
              leftSection={<IconShieldCheck size={16} aria-hidden />}
            >
              {t('verify.title')}
            </Button>
            {create}
          </>
        }
      />
      <DataTable
        path="/api/v1/webhook-endpoints"
        label={t('webhooks.title')}
        columns={columns}
        linkTo={(endpoint) => `/developers/webhooks/${endpoint.id}`}
        refreshMs={REFRESH_MS}
        empty={
          <EmptyState icon={IconWebhook} title={t('webhooks.none')} action={create}>
            {t('webhooks.noneText')}
          </EmptyState>
        }
      />
    </>
  );
}
