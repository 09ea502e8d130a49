import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Confirm } from '../../components/confirm.tsx';

/** Asks before what was changed is lost: by another screen, another product's policy, or a closed tab. */
export function Leaving({ isBlocked }: { isBlocked: boolean }) {
  const { t } = useTranslation('risk-policy');
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
      {t('leave.text')}
    </Confirm>
  );
}
