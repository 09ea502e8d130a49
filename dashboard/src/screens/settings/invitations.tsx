import { Button, Title } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useChange } from '../../api/use-api.ts';
import { useMay, useMe } from '../../auth/me.ts';
import { Confirm } from '../../components/confirm.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/states.tsx';
import { MailAddress } from '../../components/mail-address.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useLast } from '../../components/use-last.ts';
import { rolesUpTo } from './roles-up-to.ts';

type Invitation = Schemas['Invitation'];

const TONES = { pending: 'info', accepted: 'good', revoked: 'neutral', expired: 'neutral' } as const;

export function Invitations() {
  const { t } = useTranslation('settings');
  const me = useMe()!;
  const mayManage = useMay('users.manage');
  const [asked, setAsked] = useState<Invitation | null>(null);
  const about = useLast(asked);
  const revoke = useChange(
    (id: string) => api.post('/api/v1/invitations/{id}/revoke', { path: { id } }),
    ['/api/v1/invitations'],
  );
  const columns: Column<Invitation>[] = [
    { id: 'email', header: t('people.email'), cell: ({ email }) => <MailAddress address={email} /> },
    { id: 'role', header: t('people.role'), cell: ({ role }) => t(`roles.${role}`, { ns: 'common' }) },
    {
      id: 'state',
      header: t('people.state'),
      cell: ({ status }) => <StatusBadge tone={TONES[status]} label={t(`invitations.states.${status}`)} />,
    },
    {
      id: 'expires',
      header: t('invitations.expires'),
      cell: ({ expiresAt }) => <Time at={expiresAt} show="day" isFocusable />,
    },
  ];
  if (mayManage)
    columns.push({
      id: 'actions',
      header: t('people.actions'),
      align: 'end',
      cell: (invitation) =>
        invitation.status === 'pending' &&
        rolesUpTo(me.role).includes(invitation.role) && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('invitations.revokeOf', { email: invitation.email })}
            onClick={() => setAsked(invitation)}
          >
            {t('invitations.revoke')}
          </Button>
        ),
    });
  return (
    <section>
      <Title order={2} mb="sm">
        {t('invitations.title')}
      </Title>
      <DataTable
        path="/api/v1/invitations"
        label={t('invitations.title')}
        columns={columns}
        pageSize={10}
        pageName="invitationsCursor"
        empty={
          <EmptyState icon={IconMail} title={t('invitations.none')}>
            {t('invitations.noneText')}
          </EmptyState>
        }
      />
      <Confirm
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('invitations.revokeTitle')}
        action={t('invitations.revoke')}
        isDangerous
        onConfirm={() => revoke.mutateAsync(asked!.id)}
        done={t('invitations.revokeDone')}
      >
        {t('invitations.revokeText', { email: about?.email ?? '' })}
      </Confirm>
    </section>
  );
}
