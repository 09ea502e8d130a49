import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ToldCopied } from './told-copied.tsx';

/** `prod_…4f9h4`: the kind (or the beginning, where there is none) and the end; pressing it copies the whole. */
export function ShortId({ id }: { id: string }) {
  const { t } = useTranslation();
  const [prefix = '', rest = ''] = id.split('_');
  const shown = `${rest === '' ? id.slice(0, 8) : `${prefix}_`}…${id.slice(-6)}`;
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <>
          <Tooltip label={copied ? t('copied') : `${id} · ${t('copy')}`}>
            <UnstyledButton
              className="mono"
              fz="xs"
              c="dimmed"
              onClick={copy}
              aria-label={`${shown}: ${t('copy')}`}
              dir="ltr"
            >
              {shown}
            </UnstyledButton>
          </Tooltip>
          <ToldCopied copied={copied} />
        </>
      )}
    </CopyButton>
  );
}
