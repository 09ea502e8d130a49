import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ToldCopied } from './told-copied.tsx';

/** Characters that are shown; the rest is there for copying and for screen readers. */
const SHOWN = '14ch';

/** The beginning of a SHA-256; pressing it copies the whole. */
export function Checksum({ sha256 }: { sha256: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={sha256}>
      {({ copied, copy }) => (
        <>
          <Tooltip
            label={copied ? t('copied') : sha256}
            maw={340}
            multiline
            style={{ overflowWrap: 'anywhere' }}
          >
            <UnstyledButton
              className="mono"
              fz="xs"
              c="dimmed"
              onClick={copy}
              aria-label={`SHA-256 ${sha256}: ${t('copy')}`}
              dir="ltr"
              style={{
                whiteSpace: 'nowrap',
                maxWidth: SHOWN,
                overflow: 'hidden',
                textOverflow: 'ellipsis',
                display: 'block',
              }}
            >
              {sha256}
            </UnstyledButton>
          </Tooltip>
          <ToldCopied copied={copied} />
        </>
      )}
    </CopyButton>
  );
}
