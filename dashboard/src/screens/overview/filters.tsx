import { Group, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DayField } from '../../components/day-field.tsx';
import { ALL_PRODUCTS } from '../../components/product-sources.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { isRange, RANGES, USUAL_RANGE, type Span } from './span.ts';

const OWN = 'own';

/** Which days and which product, kept in the address. */
export function Filters({ span }: { span: Span }) {
  const { t } = useTranslation('overview');
  const [{ range, since, until, productId }, set] = useFilters();
  const isOwn = since !== undefined && until !== undefined;
  const choose = (value: string) =>
    set(
      value === OWN
        ? { range: undefined, since: span.since, until: span.until }
        : { range: value === USUAL_RANGE ? undefined : value, since: undefined, until: undefined },
    );
  return (
    <Group gap="sm" mb="md" align="center">
      <SegmentedControl
        size="xs"
        aria-label={t('range.label')}
        value={isOwn ? OWN : isRange(range) ? range : USUAL_RANGE}
        onChange={choose}
        data={[...Object.keys(RANGES), OWN].map((value) => ({ value, label: t(`range.${value}`) }))}
      />
      {isOwn && (
        <Group gap="xs">
          <DayField
            aria-label={t('range.since')}
            value={since}
            max={until}
            onChange={(day) => day !== '' && set({ since: day })}
          />
          <span aria-hidden>–</span>
          <DayField
            aria-label={t('range.until')}
            value={until}
            min={since}
            onChange={(day) => day !== '' && set({ until: day })}
          />
        </Group>
      )}
      <RemoteSelect
        source={ALL_PRODUCTS}
        w={{ base: '100%', xs: 230 }}
        aria-label={t('product')}
        all={t('allProducts')}
        value={productId ?? ''}
        onChange={(id) => set({ productId: id || undefined })}
      />
    </Group>
  );
}
