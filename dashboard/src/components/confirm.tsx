import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notify } from './notify.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorAlert } from './states.tsx';
import { useDialogWork } from './use-dialog-work.ts';
import { useFocusReturn } from './use-focus-return.ts';

interface ConfirmProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and to how many. */
  children: ReactNode;
  /** The verb: "Archive", not "OK". */
  action: string;
  /** Red, for what hurts. */
  isDangerous?: boolean;
  /** False until what will happen is known. */
  isReady?: boolean;
  /** Does it; a rejection is shown, and the dialog stays. */
  onConfirm: () => Promise<unknown>;
  /** Said in a notice afterwards. */
  done?: string;
}

/** Asks before something happens, in words that say what. */
export function Confirm(props: ConfirmProps) {
  const { opened, onClose, title, children, action, onConfirm, done } = props;
  const { isDangerous = false, isReady = true } = props;
  const { t } = useTranslation();
  const { isBusy, error, run, reset } = useDialogWork(opened);
  useFocusReturn(opened);
  // Of two buttons that both say "Cancel" in the reader's language, nobody knows which one does it.
  const isCancelling = action.toLowerCase().includes(t('cancel').toLowerCase());
  const close = () => {
    reset();
    onClose();
  };
  const confirm = () =>
    run(onConfirm, (isStill) => {
      if (isStill) close();
      if (done !== undefined) notify(done);
    });
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
      returnFocus={false}
    >
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        {error !== null && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {t(isCancelling ? 'goBack' : 'cancel')}
          </Button>
          <Button
            loading={isBusy}
            disabled={!isReady}
            onClick={() => void confirm()}
            {...(isDangerous ? { color: '#b42318' } : {})}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
