import { ActionIcon, Code, CopyButton, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ToldCopied } from './told-copied.tsx';

/** A text for another program, whole, with a button that copies it. @param label what it is, for the button's name */
export function CopyLine({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Group gap={6} wrap="nowrap" align="flex-start">
          <Code dir="ltr" translate="no" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
            {value}
          </Code>
          <ActionIcon variant="subtle" size="sm" onClick={copy} aria-label={`${t('copy')}: ${label}`}>
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
          <ToldCopied copied={copied} />
        </Group>
      )}
    </CopyButton>
  );
}
