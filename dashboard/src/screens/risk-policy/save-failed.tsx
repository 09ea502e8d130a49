import { useTranslation } from 'react-i18next';
import { ErrorAlert } from '../../components/states.tsx';

/** A policy that was not saved: a conflict is that somebody else saved one meanwhile. */
export function SaveFailed({ error }: { error: Error }) {
  const { t } = useTranslation('risk-policy');
  return <ErrorAlert error={error} conflict={{ title: t('stale.title'), advice: t('stale.advice') }} />;
}
