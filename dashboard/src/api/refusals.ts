/** What the service says is wrong with a value, in the reader's language. */
import { useTranslation } from 'react-i18next';
import { useFormats } from '../i18n/format.ts';
import type { FieldError } from './errors.ts';

type Refusal = Pick<FieldError, 'code' | 'message' | 'params'>;

/** Digits behind the point that a number is written with: 0.084 mm is not 0.1 mm. */
export const decimals = (value: number): number => Math.min(3, String(value).split('.')[1]?.length ?? 0);

/** Words for the codes that people meet; another's message is shown as it came. */
export function useRefusalWords(): (refusal: Refusal) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const worded = (value: unknown): string => {
    if (typeof value === 'number') return formats.decimal(value, decimals(value));
    return Array.isArray(value) ? formats.list(value.map(String)) : String(value);
  };
  return ({ code, message, params = {} }) => {
    const entries = Object.entries(params).map(([name, value]) => [name, worded(value)] as const);
    const shown: Record<string, string> = Object.fromEntries(entries);
    return t(`refused.${code}`, { ...shown, defaultValue: message });
  };
}
