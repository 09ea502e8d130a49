import { Button, Group, Paper, SegmentedControl, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';
import { foundOf, useNameOf } from '../../components/found-source.ts';
import { Unsaved } from '../../components/leaving.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { useGoOn } from '../../components/use-go-on.ts';
import { useIdempotencyKey } from '../../components/use-idempotency-key.ts';
import { useFormats } from '../../i18n/format.ts';
import { Begins, useBegins } from './begins.tsx';
import { Existing } from './existing.tsx';
import { AsConsumersSee } from './as-consumers-see.tsx';
import { Preview, reachOf, usePreview } from './preview.tsx';
import { scopeOf, SCOPES, stateOf, targetBody } from './target.tsx';
import { WordFields, wordsOf, type Words, type Written } from './word-fields.tsx';

type Body = BodyOf<'/api/v1/recalls'>;

const saysTheSame = (recall: Words, words: Words): boolean =>
  recall.reason === words.reason &&
  recall.contact === words.contact &&
  Object.keys(recall.messages).length === Object.keys(words.messages).length &&
  Object.entries(words.messages).every(([language, text]) => recall.messages[language] === text);

/** A recall is looked at first: what it would lie over, then what consumers are told, then in force. */
export function Screen() {
  const { t, i18n } = useTranslation('recalls');
  const goOn = useGoOn();
  const [asked, set] = useFilters();
  const scopeOfTarget = scopeOf(asked['target'] ?? '');
  const target = scopeOfTarget && asked['target'];
  const scope = scopeOfTarget ?? SCOPES.find((one) => one === asked['scope']) ?? 'batch';
  const [written, setWritten] = useState<Written>({
    reason: '',
    contact: '',
    messages: [{ language: i18n.language, text: '' }],
  });
  const begins = useBegins();
  const { startsAt } = begins;
  const [isAsking, setAsking] = useState(false);
  const [preview, setPreview] = useState<{ target: string; jobId: string } | null>(null);
  const keyOf = useIdempotencyKey();
  const jobId = preview !== null && preview.target === target ? preview.jobId : null;
  const job = usePreview(jobId).data;
  const units = reachOf(job)?.units;

  const count = useChange(async (id: string) => {
    const started = await api.post('/api/v1/recall-previews', { body: targetBody(scope, id) });
    setPreview({ target: id, jobId: started.id });
  });
  const words = wordsOf(written);
  const hasWritten = !saysTheSame({ reason: null, contact: null, messages: {} }, words);
  const recall = useChange(
    (body: Body) => api.post('/api/v1/recalls', { body, idempotencyKey: keyOf(body) }),
    ['/api/v1/recalls', '/api/v1/consignments', '/api/v1/batches', '/api/v1/product-units'],
  );
  // Of a target that is recalled already, the answer is that recall, with its own words.
  const answer = recall.data?.targetId === target ? recall.data : undefined;
  const isOwn = answer !== undefined && saysTheSame(answer, words);
  const known = useApi(
    '/api/v1/recalls',
    { query: { ...targetBody(scope, target ?? ''), limit: 1 } as never },
    // What was recalled here is no news on the way to its screen.
    { enabled: target !== undefined && !recall.isPending && !isOwn, placeholderData: undefined as never },
  );
  // A target has one at most that is not lifted, and that is the newest.
  const newest = target === undefined ? undefined : known.data?.data[0];
  const existing = newest?.liftedAt === null ? newest : undefined;
  const isInForce = existing !== undefined && stateOf(existing) === 'inForce';
  return (
    <>
      <PageHeader
        title={t('new')}
        description={t('newLead')}
        parents={[{ label: t('title'), to: '/recalls' }]}
      />
      {/* Of what is being sent the dialog asks; what was recalled leads on. */}
      <Unsaved when={(hasWritten || begins.isTyped) && !recall.isPending && !isOwn} />
      <Stack maw={860}>
        <Paper p="lg">
          <Title order={2} size="h3" mb="sm">
            {t('what')}
          </Title>
          <Stack>
            <SegmentedControl
              className="wrapping"
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
        {known.error !== null && <ErrorAlert error={known.error} retry={() => void known.refetch()} />}
        {existing !== undefined && (
          <Existing
            recall={existing}
            isAnswer={answer !== undefined && !isOwn}
            hasWritten={hasWritten && units !== undefined}
          />
        )}
        {jobId !== null && <Preview jobId={jobId} />}
        {/* What is written already stays to be copied. */}
        {units !== undefined && target !== undefined && (!isInForce || hasWritten) && (
          <>
            <WordFields
              value={written}
              onChange={(changes) => setWritten((before) => ({ ...before, ...changes }))}
            />
            {!isInForce && <Begins {...begins.field} />}
            {!isInForce && <AsConsumersSee messages={words.messages} contact={words.contact} />}
            {!isInForce && (
              <Group justify="flex-end">
                <Button component={Link} to="/recalls" variant="default">
                  {t('cancel', { ns: 'common' })}
                </Button>
                <Button color="#b42318" onClick={() => begins.check() && setAsking(true)}>
                  {t('recallUnits', { count: units })}
                </Button>
              </Group>
            )}
            <Ask
              opened={isAsking}
              onClose={() => setAsking(false)}
              target={target}
              units={units}
              startsAt={startsAt}
              onConfirm={async () => {
                const lead = goOn();
                const made = await recall.mutateAsync({ ...targetBody(scope, target), ...words, startsAt });
                if (saysTheSame(made, words)) void lead(`/recalls/${made.id}`);
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
  startsAt,
  ...rest
}: {
  target: string;
  units: number;
  startsAt: string | null;
  opened: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}) {
  const { t } = useTranslation('recalls');
  const formats = useFormats();
  const hit = useNameOf(target);
  const name = hit?.title ?? target;
  return (
    <Confirm {...rest} title={t('askTitle', { count: units })} action={t('recall')} isDangerous>
      {startsAt === null
        ? t('askText', { count: units, name })
        : t('askPlanned', { at: formats.instant(startsAt), name })}
    </Confirm>
  );
}
