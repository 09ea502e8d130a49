import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Beside a button that shows by a sign or a hint alone that it has copied: says so to a reader of the screen. */
export function ToldCopied({ copied }: { copied: boolean }) {
  const { t } = useTranslation();
  return <VisuallyHidden aria-live="polite">{copied && t('copied')}</VisuallyHidden>;
}
