import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from './confirm.tsx';

/** Asks before what was changed is lost: by another screen, another thing's address, or a closed tab. */
export function Leaving({
  isBlocked,
  isLostBySearch = false,
  children,
}: {
  isBlocked: boolean;
  /** Whether another filter of the same screen takes it away too. */
  isLostBySearch?: boolean;
  /** What will be lost. */
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isBlocked && (isLostBySearch || current.pathname !== next.pathname),
    enableBeforeUnload: () => isBlocked,
    withResolver: true,
  });
  return (
    <Confirm
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={t('leave.title')}
      action={t('leave.action')}
      isDangerous
      onConfirm={async () => proceed?.()}
    >
      {children}
    </Confirm>
  );
}

/** {@link Leaving} for what was typed into a form. @param when `isUnsaved` of `useApiForm` */
export function Unsaved({ when }: { when: boolean }) {
  const { t } = useTranslation();
  return <Leaving isBlocked={when}>{t('leave.form')}</Leaving>;
}
