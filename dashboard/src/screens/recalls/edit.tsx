import { Button, Group, Stack } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { changesOf, isUnchanged, onCondition } from '../../components/changes-of.ts';
import { useNameOf } from '../../components/found-source.ts';
import { Unsaved } from '../../components/leaving.tsx';
import { notify } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { useOtherTexts, writtenTexts } from '../../components/texts-by-language.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { AsConsumersSee } from './as-consumers-see.tsx';
import type { Recall } from './target.tsx';
import { WordFields, wordsOf, type Written } from './word-fields.tsx';

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const recall = useApi('/api/v1/recalls/{id}', { path: { id } });
  return (
    <Loaded query={recall} isScreen>
      {(current) => <Edit recall={current} />}
    </Loaded>
  );
}

const writtenOf = ({ reason, contact, messages }: Recall, language: string): Written => {
  const written = writtenTexts(messages);
  return {
    reason: reason ?? '',
    contact: contact ?? '',
    messages: written.length === 0 ? [{ language, text: '' }] : written,
  };
};

function Edit({ recall }: { recall: Recall }) {
  const { t, i18n } = useTranslation('recalls');
  const others = useOtherTexts();
  const navigate = useNavigate();
  const hit = useNameOf(recall.targetId);
  const back = `/recalls/${recall.id}`;
  const correct = useChange(
    (body: BodyOf<'/api/v1/recalls/{id}', 'patch'>) =>
      api.patch('/api/v1/recalls/{id}', { path: { id: recall.id }, body }),
    ['/api/v1/recalls', '/api/v1/consignments', '/api/v1/batches', '/api/v1/product-units'],
  );
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: writtenOf(recall, i18n.language),
    submit: async (values, _idempotencyKey, begun) => {
      const read = wordsOf(begun);
      const changes = changesOf(read, wordsOf(values));
      return isUnchanged(changes) ? recall : correct.mutateAsync(onCondition(changes, read));
    },
    renew: async () =>
      writtenOf(await api.get('/api/v1/recalls/{id}', { path: { id: recall.id } }), i18n.language),
    describe: (field, now) => (field === 'messages' ? others(messages, wordsOf(now).messages) : now[field]),
    onDone: () => {
      notify(t('saved', { ns: 'common' }));
      void navigate({ to: back });
    },
  });
  const { messages, contact } = wordsOf(form.values);
  return (
    <>
      <PageHeader
        title={t('editTitle')}
        description={t('editLead')}
        parents={[
          { label: t('title'), to: '/recalls' },
          {
            label: t('recallOf', { name: hit === null ? recall.targetId : (hit?.title ?? '…') }),
            to: back,
          },
        ]}
      />
      <form onSubmit={onSubmit} noValidate>
        <Unsaved when={isUnsaved} />
        <Stack maw={860}>
          {error !== null && <ErrorAlert error={error} />}
          <WordFields
            value={form.values}
            errors={form.errors}
            onChange={(changes) => form.setValues(changes)}
          />
          <AsConsumersSee messages={messages} contact={contact} />
          <Group justify="flex-end">
            <Button component={Link} to={back} variant="default">
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t('save', { ns: 'common' })}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
