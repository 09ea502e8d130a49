import { Group, Select, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { orNotify } from '../../components/notify.ts';
import { ALL_PRODUCTS } from '../../components/product-sources.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { TimeRange } from '../../components/time-range.tsx';
import { UnitPill } from '../../components/unit-pill.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { COUNTRY_CODES } from '../../i18n/countries.ts';
import { useFormats } from '../../i18n/format.ts';
import { batchesOf } from '../batches/batch-source.ts';
import { LEVELS, RESULTS, TAPS } from './badges.tsx';

/** What the list of scans is narrowed to; everything is in the address. */
export function ScanFilters() {
  const { t, i18n } = useTranslation('scans');
  const formats = useFormats();
  const [{ productId, batchId, country, result, riskLevel, isInternal, hiddenCode, nfcTap }, set] =
    useFilters();
  const hasOwnNetworks = useHasOwnNetworks();
  const hasHiddenCodes = useHasHiddenCodes();
  const hasNfcTaps = useHasNfcTaps();
  const one = (name: string, values: { value: string; label: string }[], value: string | undefined) => (
    <Select
      label={t(name)}
      w={{ base: 'calc(50% - 6px)', xs: 140 }}
      data={[{ value: '', label: t('all', { ns: 'common' }) }, ...values]}
      value={value ?? ''}
      allowDeselect={false}
      searchable={values.length > 20}
      onChange={(chosen) => set({ [name]: chosen || undefined })}
    />
  );
  const countries = COUNTRY_CODES.map((value) => ({ value, label: formats.country(value) })).sort((a, b) =>
    a.label.localeCompare(b.label, i18n.language),
  );
  return (
    <Group gap="sm" mb="md" align="flex-end">
      <TimeRange />
      {one(
        'result',
        Object.keys(RESULTS).map((value) => ({ value, label: t(`results.${value}`) })),
        result,
      )}
      {one(
        'riskLevel',
        Object.keys(LEVELS).map((value) => ({ value, label: t(`levels.${value}`) })),
        riskLevel,
      )}
      <RemoteSelect
        source={ALL_PRODUCTS}
        label={t('product')}
        w={{ base: 'calc(50% - 6px)', xs: 180 }}
        value={productId ?? ''}
        all={t('allProducts')}
        onChange={(id) => set({ productId: id || undefined, batchId: undefined })}
      />
      {(productId !== undefined || batchId !== undefined) && (
        <RemoteSelect
          source={batchesOf(productId)}
          label={t('batchId')}
          w={{ base: 'calc(50% - 6px)', xs: 220 }}
          value={batchId ?? ''}
          all={t('all', { ns: 'common' })}
          onChange={(id) => set({ batchId: id || undefined })}
        />
      )}
      {one('country', countries, country)}
      {(isInternal !== undefined || hasOwnNetworks) &&
        one(
          'isInternal',
          ['false', 'true'].map((value) => ({ value, label: t(`internalChoices.${value}`) })),
          isInternal,
        )}
      {(hiddenCode !== undefined || hasHiddenCodes) &&
        one(
          'hiddenCode',
          ENTERED.map((value) => ({ value, label: t(`hiddenCodes.${value}`) })),
          hiddenCode,
        )}
      {(nfcTap !== undefined || hasNfcTaps) &&
        one(
          'nfcTap',
          Object.keys(TAPS).map((value) => ({ value, label: t(`nfcTaps.${value}`) })),
          nfcTap,
        )}
      <UnitFilter />
    </Group>
  );
}

/** Without them there is nothing to tell apart. */
function useHasOwnNetworks(): boolean {
  const mayRead = useMay('organization.read');
  const { data } = useApi('/api/v1/organization/internal-networks', {}, { enabled: mayRead });
  return (data?.networks.length ?? 0) > 0;
}

const ENTERED = ['correct', 'wrong'] as const;

/** Whether anybody has entered one. */
function useHasHiddenCodes(): boolean {
  const correct = useApi('/api/v1/scans', { query: { hiddenCode: 'correct', limit: 1 } });
  const wrong = useApi('/api/v1/scans', { query: { hiddenCode: 'wrong', limit: 1 } });
  return [correct, wrong].some(({ data }) => (data?.data.length ?? 0) > 0);
}

/** Whether anybody has tapped a tag: who has tags has taps that are fresh. */
function useHasNfcTaps(): boolean {
  const { data } = useApi('/api/v1/scans', { query: { nfcTap: 'fresh', limit: 1 } });
  return (data?.data.length ?? 0) > 0;
}

/** One unit, by the serial on it. */
function UnitFilter() {
  const { t } = useTranslation('scans');
  const [{ unitId, productId, batchId }, set] = useFilters();
  const [serial, setSerial] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  const asked = useRef<symbol | null>(null);
  useEffect(
    () => () => {
      // The screen that one has gone on to has an address of its own, and perhaps filters.
      asked.current = null;
    },
    [],
  );
  if (unitId !== undefined) return <UnitPill unitId={unitId} onRemove={() => set({ unitId: undefined })} />;
  const find = async () => {
    const wanted = serial.trim();
    if (wanted === '') return;
    // A serial is one unit's of a product, and may be another's of the next.
    const query = { serial: wanted, productId, batchId, limit: 1 };
    const mine = (asked.current = Symbol(wanted));
    const { data } = await api.get('/api/v1/product-units', { query });
    if (asked.current !== mine) return;
    setUnknown(data.length === 0);
    if (data[0] !== undefined) set({ unitId: data[0].id });
  };
  return (
    <form
      style={{ display: 'contents' }}
      onSubmit={(event) => {
        event.preventDefault();
        orNotify(find());
      }}
    >
      <TextInput
        label={t('serial')}
        placeholder={t('serialHint')}
        w={{ base: 'calc(50% - 6px)', xs: 160 }}
        value={serial}
        error={isUnknown && t('serialUnknown')}
        onChange={(event) => {
          setSerial(event.currentTarget.value);
          setUnknown(false);
          asked.current = null;
        }}
      />
    </form>
  );
}
