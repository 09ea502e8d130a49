import { Button, Code, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Code to take along; it reads from the left in every language, and scrolls by keyboard where it is too wide. */
export function SnippetBlock({
  code,
  label,
  maxHeight,
}: {
  code: string;
  label: string;
  maxHeight?: number;
}) {
  const { t } = useTranslation();
  return (
    <div className="snippet">
      <Code
        block
        dir="ltr"
        tabIndex={0}
        role="region"
        aria-label={label}
        style={{ overflow: 'auto', textAlign: 'left', ...(maxHeight === undefined ? {} : { maxHeight }) }}
      >
        {code}
      </Code>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button
            mt={6}
            size="compact-xs"
            variant="default"
            onClick={copy}
            leftSection={copied ? <IconCheck size={13} aria-hidden /> : <IconCopy size={13} aria-hidden />}
          >
            {copied ? t('copied') : t('copy')}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
