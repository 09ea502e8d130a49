import { Alert, Anchor, Button, Code, NativeSelect, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { IconBan, IconClockHour4, IconRefresh } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useUntilAnswered } from '../../components/use-idempotency-key.ts';
import { Hint, KeyStateBadge, stateOf, type Key } from './key-state.tsx';
import { SnippetBlock } from './snippet-block.tsx';

const DAY_SECONDS = 86_400;

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const key = useApi('/api/v1/api-keys/{id}', { path: { id } });
  return (
    <Loaded query={key} isScreen>
      {(current) => <ApiKey current={current} />}
    </Loaded>
  );
}

function ApiKey({ current }: { current: Key }) {
  const { t } = useTranslation('developers');
  const [asks, setAsks] = useState<'rotate' | 'revoke' | null>(null);
  const [graceDays, setGraceDays] = useState('1');
  const [secret, setSecret] = useState<string | null>(null);
  const path = { id: current.id };
  const untilAnswered = useUntilAnswered();
  const rotate = useChange(
    () =>
      untilAnswered(graceDays, (idempotencyKey) =>
        api.post('/api/v1/api-keys/{id}/rotate', {
          path,
          body: { graceSeconds: Number(graceDays) * DAY_SECONDS },
          idempotencyKey,
        }),
      ),
    ['/api/v1/api-keys'],
  );
  const revoke = useChange(() => api.post('/api/v1/api-keys/{id}/revoke', { path }), ['/api/v1/api-keys']);
  const state = stateOf(current);
  const isUsable = state === 'active' || state === 'rotating';
  return (
    <>
      <PageHeader
        title={current.name}
        badge={<KeyStateBadge value={current} />}
        parents={[{ label: t('keys.title'), to: '/developers/keys' }]}
        actions={
          isUsable && (
            <>
              <Button
                variant="default"
                leftSection={<IconBan size={16} aria-hidden />}
                onClick={() => setAsks('revoke')}
              >
                {t('keys.revoke')}
              </Button>
              <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setAsks('rotate')}>
                {t('keys.rotate')}
              </Button>
            </>
          )
        }
      />
      <Stack>
        {state === 'rotating' && (
          <Alert color="yellow" variant="light" icon={<IconClockHour4 aria-hidden />}>
            <Text size="sm">
              <Trans
                t={t}
                i18nKey="keys.rotatingText"
                components={{ at: <Time at={current.previousSecretExpiresAt!} isFocusable /> }}
              />
            </Text>
          </Alert>
        )}
        <Paper p="lg">
          <Facts
            facts={[
              { label: t('keys.key'), value: <Hint value={current} /> },
              {
                label: t('keys.lastUsed'),
                value:
                  current.lastUsedAt === null ? (
                    t('keys.neverUsed')
                  ) : (
                    <Time at={current.lastUsedAt} show="ago" />
                  ),
              },
              {
                label: t('keys.expires'),
                value: current.expiresAt === null ? t('keys.never') : <Time at={current.expiresAt} />,
              },
              {
                label: t('keys.allowedFrom'),
                value:
                  current.allowedCidrs.length === 0 ? (
                    t('keys.anywhere')
                  ) : (
                    <span className="mono" dir="ltr">
                      {current.allowedCidrs.join(', ')}
                    </span>
                  ),
              },
              { label: t('created'), value: <Time at={current.createdAt} /> },
              { label: t('keys.secretSince'), value: <Time at={current.rotatedAt} /> },
              {
                label: t('keys.revoked'),
                value: current.revokedAt === null ? null : <Time at={current.revokedAt} />,
              },
              { label: t('id'), value: <ShortId id={current.id} /> },
            ]}
          />
        </Paper>
        <Paper p="lg">
          <Title order={2} mb="xs">
            {t('keys.scopes')}
          </Title>
          {current.scopes.length === 0 ? (
            <Text size="sm">{t('keys.noScopes')}</Text>
          ) : (
            <Table aria-label={t('keys.scopes')} className="compact">
              <Table.Tbody>
                {current.scopes.map((scope) => (
                  <Table.Tr key={scope}>
                    <Table.Td w={1} style={{ whiteSpace: 'nowrap' }}>
                      <Code>{scope}</Code>
                    </Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>
                      {t(`scopes.${scope.replaceAll('.', '_')}`)}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </Paper>
        {isUsable && (
          <Paper p="lg">
            <Title order={2} mb="xs">
              {t('keys.use')}
            </Title>
            <SnippetBlock
              label={t('keys.use')}
              code={`curl ${location.origin}/api/v1/products \\\n  -H "Authorization: Bearer ${current.prefix}…${current.lastFour}"`}
            />
            <Text size="sm" mt="xs">
              <Anchor
                component={Link}
                to="/developers/request-errors"
                search={{ keyId: current.id } as never}
                inherit
              >
                {t('keys.itsErrors')}
              </Anchor>
            </Text>
          </Paper>
        )}
      </Stack>
      <Confirm
        opened={asks === 'rotate'}
        onClose={() => setAsks(null)}
        title={t('keys.rotateTitle', { name: current.name })}
        action={t('keys.rotate')}
        onConfirm={async () => setSecret((await rotate.mutateAsync(undefined)).secret)}
      >
        <Stack>
          {t('keys.rotateText')}
          <NativeSelect
            label={t('keys.grace')}
            value={graceDays}
            onChange={(event) => setGraceDays(event.currentTarget.value)}
            data={Array.from({ length: 8 }, (_, days) => ({
              value: String(days),
              label: days === 0 ? t('keys.graceNone') : t('keys.graceDays', { count: days }),
            }))}
          />
        </Stack>
      </Confirm>
      <Confirm
        opened={asks === 'revoke'}
        onClose={() => setAsks(null)}
        title={t('keys.revokeTitle', { name: current.name })}
        action={t('keys.revoke')}
        isDangerous
        onConfirm={() => revoke.mutateAsync(undefined)}
        done={t('keys.revokeDone')}
      >
        {t('keys.revokeText')}
      </Confirm>
      <SecretOnce
        title={t('keys.secretTitle')}
        secret={secret}
        isComing={rotate.isPending}
        onClose={() => setSecret(null)}
      />
    </>
  );
}
