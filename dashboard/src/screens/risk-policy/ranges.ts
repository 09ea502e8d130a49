/** Which numbers a policy may have: limits as the service has them. */
import { useTranslation } from 'react-i18next';
import { useRefusalWords } from '../../api/refusals.ts';
import { useFormats } from '../../i18n/format.ts';
import type { Policy } from './policy.ts';

export interface Range {
  min: number;
  max: number;
}

/** By the field's name; a share is edited in percent, and of whole things there is no half. */
export const RANGES: Record<string, Range & { step: number; isShare?: boolean; isWhole?: boolean }> = {
  medium: { min: 1, max: 100, step: 5 },
  suspicious: { min: 1, max: 100, step: 5 },
  weight: { min: 0, max: 3, step: 0.1 },
  wrongPositionRate: { min: 0.001, max: 0.3, step: 0.005, isShare: true },
  moveRate: { min: 0.001, max: 0.5, step: 0.01, isShare: true },
  hiddenCodeVisitors: { min: 2, max: 100, step: 1, isWhole: true },
  nfcReplayVisitors: { min: 2, max: 100, step: 1, isWhole: true },
  maxSpeedKmh: { min: 100, max: 10_000, step: 50 },
  minDistanceKm: { min: 0, max: 20_000, step: 50 },
  borderRadii: { min: 0, max: 5, step: 0.5 },
  lotUnits: { min: 1, max: 1_000_000, step: 1, isWhole: true },
};

export const WINDOW_VISITORS: Range = { min: 2, max: 44 };
export const WINDOW_HOURS: Range = { min: 0.25, max: 24 * 365 };
export const COOLDOWN_MINUTES: Range = { min: 0, max: 7 * 24 * 60 };

export const isWithin = (number: number, { min, max }: Range): boolean => number >= min && number <= max;

/** Refused by the service, too. */
export const areCrossed = ({ thresholds }: Policy): boolean => thresholds.medium > thresholds.suspicious;

/** Whether the service takes the policy's numbers; each field says of its own which there may be. */
export const isAllowed = (policy: Policy, cooldown: number | null): boolean =>
  !areCrossed(policy) &&
  (cooldown === null || isWithin(cooldown, COOLDOWN_MINUTES)) &&
  policy.excessiveScanning.windows.every(
    ({ visitors, hours }) => isWithin(visitors, WINDOW_VISITORS) && isWithin(hours, WINDOW_HOURS),
  ) &&
  Object.values(policy)
    .flatMap((fields) => Object.entries(fields))
    .every(([name, value]) => !(name in RANGES) || isWithin(value as number, RANGES[name]!));

/** "From 100 to 10,000.", of a number that is out of its range. */
export function useRangeError(): (number: number, range: Range & { isShare?: boolean }) => string | false {
  const words = useRefusalWords();
  const formats = useFormats();
  return (number, range) => {
    if (isWithin(number, range)) return false;
    const shown = range.isShare === true ? formats.percent : (limit: number) => limit;
    const params = { minimum: shown(range.min), maximum: shown(range.max) };
    return words({ code: 'OUT_OF_RANGE', message: '', params });
  };
}

/** What a field of a policy is called on the screen, by its path in a refusal (`policy.clone.weight`); null for others. */
export function useFieldNames(): (path: string) => string | null {
  const { t } = useTranslation('risk-policy');
  return (path) => {
    if (path === 'alertCooldownMinutes')
      return t('fieldOf', { rule: t('cooldown.title'), field: t('cooldown.minutes') });
    const [head, rule = '', name = ''] = path.split('.');
    if (head !== 'policy' || !(name in RANGES)) return null;
    return t('fieldOf', { rule: t(`${rule}.title`), field: t(`fields.${name}.label`) });
  };
}
