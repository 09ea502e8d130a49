/** Why a job failed, in the reader's language. */
import { useTranslation } from 'react-i18next';

/** Words for the codes that are known here; another's message is shown as it came. */
export function useFailureWords(): (error: { code: string; message: string }) => string {
  const { t } = useTranslation();
  return ({ code, message }) => t(`failures.${code}`, { defaultValue: message });
}
