import {
  Button,
  Group,
  Modal,
  NumberInput,
  Paper,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { ApiError, type FieldError } from '../../api/errors.ts';
import { useChange } from '../../api/use-api.ts';
import { Unsaved } from '../../components/leaving.tsx';
import { notify } from '../../components/notify.ts';
import { withoutInnerSpaces } from '../../components/element-strings.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { toHeading } from '../../components/use-focus-return.ts';
import type { Consignment } from './status.tsx';

const PATH = '/api/v1/consignments/{id}/receive';
/** As the service takes. */
const MOST_COUNTED = 100_000_000;

const orNull = (text: string): string | null => text.trim() || null;

/** No serial has a space in it, so that those of one line are told apart, too. */
const serialsOf = (text: string): string[] =>
  withoutInnerSpaces(text)
    .split(/\s+/)
    .filter((serial) => serial !== '');

/** A list has one field here: what is wrong with several of its serials for the same reason is one refusal that names them all. */
function together(fields: readonly FieldError[]): FieldError[] {
  const byReason = new Map<string, FieldError>();
  for (const { path, params, ...refusal } of fields) {
    const [list = ''] = path.split('.');
    const reason = `${list} ${refusal.code}`;
    const before = byReason.get(reason)?.params;
    byReason.set(reason, {
      ...refusal,
      path: list,
      ...(params && {
        params: Object.fromEntries(
          Object.entries(params).map(([name, value]) => [
            name,
            before?.[name] === undefined ? value : [before[name], value].flat().map(String),
          ]),
        ),
      }),
    });
  }
  return [...byReason.values()];
}

/** For a distributor who answers by telephone or mail: somebody of the brand writes down what they say. */
export function RecordReceipt({ consignment }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  const [isOpen, setOpen] = useState(false);
  const isRecorded = useRef(false);
  // Here, so that closing the dialog loses nothing.
  const receipt = useReceipt(consignment, () => {
    isRecorded.current = true;
    notify(t('record.done'));
    setOpen(false);
  });
  // It goes, with the button that has the focus.
  useEffect(
    () => () => {
      if (isRecorded.current) requestAnimationFrame(toHeading);
    },
    [],
  );
  const close = () => !receipt.isBusy && setOpen(false);
  return (
    <Paper p="lg">
      <Title order={2} size="h3" mb={4}>
        {t('record.title')}
      </Title>
      <Text size="sm" c="dimmed" maw={720}>
        {t('record.lead')}
      </Text>
      <Button mt="md" variant="default" onClick={() => setOpen(true)}>
        {t('record.open')}
      </Button>
      <Unsaved when={receipt.isUnsaved} />
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('record.title')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
      >
        <ReceiptForm receipt={receipt} unitCount={consignment.unitCount} onClose={close} />
      </Modal>
    </Paper>
  );
}

function useReceipt({ id }: Consignment, onDone: () => void) {
  const receive = useChange(
    (options: { body: BodyOf<typeof PATH>; idempotencyKey: string }) =>
      api.post(PATH, { path: { id }, ...options }),
    ['/api/v1/consignments'],
  );
  return useApiForm({
    initialValues: { receivedCount: '' as number | '', missing: '', damaged: '', name: '', note: '' },
    submit: ({ receivedCount, missing, damaged, name, note }, idempotencyKey) => {
      const body = {
        receivedCount: receivedCount === '' ? null : receivedCount,
        missing: serialsOf(missing),
        damaged: serialsOf(damaged),
        name: orNull(name),
        note: orNull(note),
      };
      return receive.mutateAsync({ body, idempotencyKey }).catch((failure: unknown) => {
        if (!(failure instanceof ApiError)) throw failure;
        const { status, code, message, requestId, retryAfterSeconds } = failure;
        const fields = together(failure.fields);
        throw new ApiError({ status, code, message, requestId, retryAfterSeconds, fields });
      });
    },
    onDone,
  });
}

function ReceiptForm({
  receipt: { form, onSubmit, isBusy, error },
  unitCount,
  onClose,
}: {
  receipt: ReturnType<typeof useReceipt>;
  unitCount: number;
  onClose: () => void;
}) {
  const { t } = useTranslation('consignments');
  const serials = {
    description: t('record.oneALine'),
    autosize: true,
    minRows: 2,
    maxRows: 8,
    dir: 'ltr',
    // As on the distributor's page: no keyboard changes a serial.
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } },
  } as const;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {error !== null && <ErrorAlert error={error} />}
        <NumberInput
          label={t('record.counted')}
          description={t('record.countedHint')}
          placeholder={String(unitCount)}
          min={0}
          max={MOST_COUNTED}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          hideControls
          data-autofocus
          {...form.getInputProps('receivedCount')}
        />
        <Textarea label={t('record.missing')} {...serials} {...form.getInputProps('missing')} />
        <Textarea label={t('record.damaged')} {...serials} {...form.getInputProps('damaged')} />
        <TextInput
          label={t('record.name')}
          description={t('record.nameHint')}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Textarea
          label={t('note')}
          description={t('record.noteHint')}
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('note')}
        />
        <Text size="sm" c="dimmed">
          {t('record.once')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('record.send')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
