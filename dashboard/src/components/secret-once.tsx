import { Alert, Button, Checkbox, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Leaving } from './leaving.tsx';

/** A secret that the service shows this once. Closing it takes a tick, because it cannot be had again. */
export function SecretOnce({
  title,
  secret,
  isComing = false,
  advice,
  onClose,
}: {
  title: string;
  secret: string | null;
  /** It is being made: whoever leaves before it is there would never see it. */
  isComing?: boolean;
  /** Where to keep it, if it is not for programs. */
  advice?: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [kept, setKept] = useState(false);
  const close = () => {
    setKept(false);
    onClose();
  };
  return (
    <>
      <Modal
        opened={secret !== null}
        onClose={() => kept && close()}
        withCloseButton={false}
        closeOnClickOutside={false}
        title={title}
        size="lg"
      >
        <Stack>
          <Alert color="yellow" variant="light" icon={<IconKey aria-hidden />}>
            <Text size="sm">{advice ?? t('secret.once')}</Text>
          </Alert>
          <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} dir="ltr">
            {secret}
          </Code>
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                onClick={copy}
                leftSection={
                  copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
                }
              >
                {copied ? t('copied') : t('copy')}
              </Button>
            )}
          </CopyButton>
          <Checkbox
            label={t('secret.kept')}
            checked={kept}
            onChange={(event) => setKept(event.currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button disabled={!kept} onClick={close}>
              {t('done')}
            </Button>
          </Group>
        </Stack>
      </Modal>
      <Leaving isBlocked={(secret !== null && !kept) || isComing}>{t('secret.leave')}</Leaving>
    </>
  );
}
