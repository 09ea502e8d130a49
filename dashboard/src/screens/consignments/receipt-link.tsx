import { Button, Code, CopyButton, Group, Modal, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconCopy, IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Time } from '../../components/time.tsx';
import type { Consignment } from './status.tsx';

/** The distributor's link, which the service shows this once. */
export function LinkOnce({ url, onClose }: { url: string | null; onClose: () => void }) {
  const { t } = useTranslation('consignments');
  const common = useTranslation().t;
  return (
    <Modal
      opened={url !== null}
      onClose={onClose}
      title={t('linkTitle')}
      size="lg"
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Stack>
        <Text size="sm">{t('linkText')}</Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} dir="ltr">
          {url}
        </Code>
        <Group justify="flex-end">
          <Button
            component="a"
            href={url ?? ''}
            target="_blank"
            rel="noreferrer noopener"
            variant="default"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            {t('seeAsDistributor')}
          </Button>
          <CopyButton value={url ?? ''}>
            {({ copied, copy }) => (
              <Button
                onClick={copy}
                leftSection={
                  copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
                }
              >
                {copied ? common('copied') : t('copyLink')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Whether the distributor's link works, and how to make a new one or take it away. */
export function ReceiptLink({ consignment: { id, linkExpiresAt } }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  const [asking, setAsking] = useState<'renew' | 'revoke' | null>(null);
  const [url, setUrl] = useState<string | null>(null);
  const stale = ['/api/v1/consignments'];
  const renew = useChange(
    () => api.post('/api/v1/consignments/{id}/renew-link', { path: { id }, body: {} }),
    stale,
  );
  const revoke = useChange(() => api.post('/api/v1/consignments/{id}/revoke-link', { path: { id } }), stale);
  return (
    <Paper p="lg">
      <Title order={2} size="h3" mb={4}>
        {t('link')}
      </Title>
      <Text size="sm" c="dimmed" maw={720}>
        {t('linkLead')}
      </Text>
      <Text size="sm" mt="sm">
        {linkExpiresAt === null ? (
          t('noLink')
        ) : (
          <>
            {t('linkUntil')} <Time at={linkExpiresAt} show="day" isFocusable />
          </>
        )}
      </Text>
      <Group mt="md" gap="xs">
        {linkExpiresAt !== null && (
          <Button variant="default" onClick={() => setAsking('revoke')}>
            {t('revoke')}
          </Button>
        )}
        <Button variant="default" onClick={() => setAsking('renew')}>
          {t('renew')}
        </Button>
      </Group>
      <Confirm
        opened={asking === 'renew'}
        onClose={() => setAsking(null)}
        title={t('renewTitle')}
        action={t('renew')}
        onConfirm={async () => setUrl((await renew.mutateAsync(undefined)).receiveUrl)}
      >
        {t('renewText')}
      </Confirm>
      <Confirm
        opened={asking === 'revoke'}
        onClose={() => setAsking(null)}
        title={t('revokeTitle')}
        action={t('revoke')}
        isDangerous
        onConfirm={() => revoke.mutateAsync(undefined)}
        done={t('revoked')}
      >
        {t('revokeText')}
      </Confirm>
      <LinkOnce url={url} onClose={() => setUrl(null)} />
    </Paper>
  );
}
