import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from './confirm.tsx';

/** Asks before what was changed is lost: by another screen, another thing's address, or a closed tab. */
export function Leaving({
  isBlocked,
  children,
}: {
  isBlocked: boolean;
  /** What will be lost. */
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isBlocked,
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
