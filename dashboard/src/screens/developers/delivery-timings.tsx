import { Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import { partsOf, type Timings } from './timing-parts.ts';

const COLORS = {
  dnsMs: 'var(--mantine-color-gray-5)',
  connectMs: 'var(--mantine-color-blue-6)',
  tlsMs: 'var(--mantine-color-grape-6)',
  waitMs: 'var(--mantine-color-gold-6)',
  restMs: 'var(--mantine-color-teal-6)',
};

/** Where the time of an attempt went: its parts one after the other, as they happened. */
export function DeliveryTimings({ timings }: { timings: Timings }) {
  const { t } = useTranslation('developers');
  const formats = useFormats();
  const parts = partsOf(timings);
  const total = timings.totalMs ?? 0;
  const inWords = (ms: number) => t('deliveries.ms', { ms: formats.number(ms) });
  return (
    <div>
      <Progress.Root size={10} aria-hidden mb={6}>
        {parts.map(({ part, ms }) => (
          <Progress.Section key={part} value={(ms / total) * 100} color={COLORS[part]} />
        ))}
      </Progress.Root>
      <ul className="legend">
        {parts.map(({ part, ms }) => (
          <li key={part}>
            <span className="legend-mark" style={{ background: COLORS[part] }} aria-hidden />
            {t(`deliveries.timings.${part}`)} {inWords(ms)}
          </li>
        ))}
        <li>
          {t('deliveries.timings.totalMs')} {inWords(total)}
        </li>
      </ul>
    </div>
  );
}
