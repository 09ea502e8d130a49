import { Button, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { Hint, KeyStateBadge, type Key } from './key-state.tsx';

export function Screen() {
  const { t } = useTranslation('developers');
  const columns: Column<Key>[] = [
    { id: 'name', header: t('keys.name'), cell: (key) => key.name },
    { id: 'hint', header: t('keys.key'), cell: (key) => <Hint value={key} /> },
    {
      id: 'scopes',
      header: t('keys.scopes'),
      cell: (key) => t('keys.scopeCount', { count: key.scopes.length }),
    },
    {
      id: 'used',
      header: t('keys.lastUsed'),
      cell: (key) =>
        key.lastUsedAt === null ? (
          <Text span size="sm" c="dimmed">
            {t('keys.neverUsed')}
          </Text>
        ) : (
          <Time at={key.lastUsedAt} show="ago" />
        ),
    },
    {
      id: 'expires',
      header: t('keys.expires'),
      cell: (key) => (key.expiresAt === null ? t('keys.never') : <Time at={key.expiresAt} show="day" />),
    },
    { id: 'state', header: t('state'), cell: (key) => <KeyStateBadge value={key} /> },
  ];
  const create = (
    <Button component={Link} to="/developers/keys/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {t('keys.new')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('keys.title')} description={t('keys.lead')} actions={create} />
      <DataTable
        path="/api/v1/api-keys"
        label={t('keys.title')}
        columns={columns}
        linkTo={(key) => `/developers/keys/${key.id}`}
        empty={
          <EmptyState icon={IconKey} title={t('keys.none')} action={create}>
            {t('keys.noneText')}
          </EmptyState>
        }
      />
    </>
  );
}
