import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';

const SHOWN = 3;

/**
 * Where a product may be sold.
 * @param short the first few countries, for a row of a list that leads to all of them; all on hover.
 */
export function Markets({ codes, short = false }: { codes: readonly string[]; short?: boolean }) {
  const { t } = useTranslation('products');
  const formats = useFormats();
  if (codes.length === 0) return t('everywhere');
  const names = codes.map(formats.country);
  if (!short || codes.length <= SHOWN) return formats.list(names);
  return (
    <Tooltip label={formats.list(names)} multiline maw={320}>
      <span>{t('marketsAndMore', { some: formats.series(names.slice(0, 2)), count: codes.length - 2 })}</span>
    </Tooltip>
  );
}
