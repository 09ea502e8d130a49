import { Button, Group, Paper, SegmentedControl, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';
import { foundOf, useNameOf } from '../../components/found-source.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { AsConsumersSee, Messages, type Message } from './messages.tsx';
import { Preview, usePreview } from './preview.tsx';
import { scopeOf, SCOPES, targetBody, type RecallScope } from './target.tsx';

const orNull = (text: string): string | null => text.trim() || null;

/** A recall is looked at first: what it would lie over, then what consumers are told, then in force. */
export function Screen() {
  const { t, i18n } = useTranslation('recalls');
  const navigate = useNavigate();
  const [{ target, scope: asked }, set] = useFilters();
  const scope = scopeOf(target ?? '') ?? (asked as RecallScope | undefined) ?? 'batch';
  const [reason, setReason] = useState('');
  const [contact, setContact] = useState('');
  const [messages, setMessages] = useState<Message[]>([{ language: i18n.language, text: '' }]);
  const [isAsking, setAsking] = useState(false);
  const [preview, setPreview] = useState<{ target: string; jobId: string } | null>(null);
  const key = useRef(crypto.randomUUID());
  const jobId = preview !== null && preview.target === target ? preview.jobId : null;
  const job = usePreview(jobId).data;
  const units = job?.status === 'completed' ? job.result?.units : undefined;

  const count = useChange(async (id: string) => {
    const started = await api.post('/api/v1/recall-previews', { body: targetBody(scope, id) });
    setPreview({ target: id, jobId: started.id });
  });
  const told = Object.fromEntries(
    messages.map(({ language, text }) => [language, text.trim()] as const).filter(([, text]) => text !== ''),
  );
  const recall = useChange(
    (id: string) =>
      api.post('/api/v1/recalls', {
        body: { ...targetBody(scope, id), reason: orNull(reason), contact: orNull(contact), messages: told },
        idempotencyKey: key.current,
      }),
    ['/api/v1/recalls', '/api/v1/consignments', '/api/v1/batches', '/api/v1/product-units'],
  );
  return (
    <>
      <PageHeader
        title={t('new')}
        description={t('newLead')}
        parents={[{ label: t('title'), to: '/recalls' }]}
      />
      <Stack maw={860}>
        <Paper p="lg">
          <Title order={2} size="h3" mb="sm">
            {t('what')}
          </Title>
          <Stack>
            <SegmentedControl
              aria-label={t('scope')}
              value={scope}
              onChange={(value) => set({ scope: value, target: undefined })}
              data={SCOPES.map((value) => ({ value, label: t(`scopes.${value}`) }))}
            />
            <RemoteSelect
              key={scope}
              source={foundOf(scope)}
              clearable
              label={t(`scopes.${scope}`)}
              description={t(`hints.${scope}`)}
              placeholder={t('find')}
              value={target ?? ''}
              onChange={(id) => set({ target: id || undefined })}
            />
            {count.error !== null && <ErrorAlert error={count.error} />}
            <Group>
              <Button
                variant={jobId === null ? 'filled' : 'default'}
                disabled={target === undefined}
                loading={count.isPending}
                onClick={() => target !== undefined && count.mutate(target)}
              >
                {t('preview')}
              </Button>
            </Group>
          </Stack>
        </Paper>
        {jobId !== null && <Preview jobId={jobId} />}
        {units !== undefined && target !== undefined && (
          <>
            <Paper p="lg">
              <Title order={2} size="h3" mb="sm">
                {t('words')}
              </Title>
              <Stack>
                <Textarea
                  label={t('reason')}
                  description={t('reasonHint')}
                  autosize
                  minRows={2}
                  maxLength={1000}
                  value={reason}
                  onChange={(event) => setReason(event.currentTarget.value)}
                />
                <Messages value={messages} onChange={setMessages} />
                <TextInput
                  label={t('contact')}
                  description={t('contactHint')}
                  maxLength={300}
                  value={contact}
                  onChange={(event) => setContact(event.currentTarget.value)}
                />
              </Stack>
            </Paper>
            <AsConsumersSee messages={told} contact={orNull(contact)} />
            <Group justify="flex-end">
              <Button component={Link} to="/recalls" variant="default">
                {t('cancel', { ns: 'common' })}
              </Button>
              <Button color="#b42318" onClick={() => setAsking(true)}>
                {t('recallUnits', { count: units })}
              </Button>
            </Group>
            <Ask
              opened={isAsking}
              onClose={() => setAsking(false)}
              target={target}
              units={units}
              onConfirm={async () => {
                const { id } = await recall.mutateAsync(target);
                void navigate({ to: `/recalls/${id}` });
              }}
            />
          </>
        )}
      </Stack>
    </>
  );
}

function Ask({
  target,
  units,
  ...rest
}: {
  target: string;
  units: number;
  opened: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}) {
  const { t } = useTranslation('recalls');
  const hit = useNameOf(target);
  return (
    <Confirm {...rest} title={t('askTitle', { count: units })} action={t('recall')} isDangerous>
      {t('askText', { count: units, name: hit?.title ?? target })}
    </Confirm>
  );
}
