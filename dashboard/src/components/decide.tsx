import { Alert, Button, Group, Modal, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/errors.ts';
import { notify } from './notify.ts';
import { ErrorAlert } from './states.tsx';
import { useDialogWork } from './use-dialog-work.ts';
import { useFocusReturn } from './use-focus-return.ts';

interface DecideProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What the decision will do, and to how many. */
  children: ReactNode;
  /** The coded reasons to choose from, with their words. */
  reasons: readonly { value: string; label: string }[];
  /** The verb on the button. */
  action: string;
  isDangerous?: boolean;
  /** How it stands, in words: somebody else may have changed it meanwhile. */
  state: string;
  /** It stands so already. */
  isMoot: boolean;
  onDecide: (reason: string, note: string | undefined) => Promise<unknown>;
  /** Said in a notice afterwards. */
  done: string;
}

/** Closes something for a coded reason, with a note if one likes, after saying what that will do. */
export function Decide(props: DecideProps) {
  const { opened, onClose, title, children, reasons, action, isDangerous = false, onDecide, done } = props;
  const { state, isMoot } = props;
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [note, setNote] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { isBusy, error, run, reset } = useDialogWork(opened);
  /** How it stood when this was asked, or as was said since: it may be read again while somebody reads on elsewhere. */
  const [known, setKnown] = useState({ opened, state });
  const [hasMoved, setMoved] = useState(false);
  if (known.opened !== opened) {
    setKnown({ opened, state });
    setMoved(false);
  }
  const isRefused = error instanceof ApiError && error.code === 'CONFLICT';
  const moved = {
    title: t('decide.moved.title'),
    advice: isMoot ? t('decide.moved.same') : t('decide.moved.advice', { state }),
  };
  const first = useRef<HTMLInputElement>(null);
  useFocusReturn(opened, state);
  const close = () => {
    setReason('');
    setNote('');
    setMissing(false);
    reset();
    onClose();
  };
  const decide = async () => {
    if (reason === '') {
      // The message describes the group, and is read with it.
      flushSync(() => setMissing(true));
      first.current?.focus();
      return;
    }
    setMissing(false);
    // What the service would refuse, had it not been read since.
    setMoved(known.state !== state && !isRefused);
    setKnown({ opened, state });
    if (known.state !== state && !isRefused) return;
    await run(
      () => onDecide(reason, note.trim() || undefined),
      (isStill) => {
        if (isStill) close();
        notify(done);
      },
    );
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
      returnFocus={false}
      // A press that misses would take a long note with it.
      closeOnClickOutside={note === ''}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void decide();
        }}
      >
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          <Radio.Group
            label={t('decide.reason')}
            withAsterisk
            value={reason}
            onChange={(value) => {
              setReason(value);
              setMissing(false);
            }}
            error={isMissing && t('decide.reasonMissing')}
          >
            <Stack gap={8} my={6}>
              {reasons.map(({ value, label }, index) => (
                <Radio
                  key={value}
                  value={value}
                  label={label}
                  {...(index === 0 ? { ref: first, 'data-autofocus': true } : {})}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            label={t('decide.note')}
            description={t('decide.noteHint')}
            autosize
            minRows={2}
            maxLength={4000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {error !== null && <ErrorAlert error={error} moved={moved} />}
          {error === null && opened && !isBusy && (hasMoved || isMoot) && (
            <Alert color="red" variant="light" role="alert" title={moved.title}>
              {moved.advice}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={isMoot}
              {...(isDangerous ? { color: '#b42318' } : {})}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
