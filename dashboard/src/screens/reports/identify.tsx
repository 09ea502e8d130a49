import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { Confirm } from '../../components/confirm.tsx';
import { foundOf } from '../../components/found-source.ts';
import { ALL_PRODUCTS } from '../../components/product-sources.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';

type Report = Schemas['CounterfeitReportDetail'];

const UNIT = foundOf('unit');

/** The unit of a code that a consumer scanned is what it is. */
const isFixed = ({ channel, identifiedBy, productUnitId }: Report): boolean =>
  channel === 'consumer' && identifiedBy === null && productUnitId !== null;

/** Says which unit or product a report is about, of which somebody found it out: by a serial in a photo, by asking the reporter. */
export function Identify({
  report,
  change,
}: {
  report: Report;
  change: (body: BodyOf<'/api/v1/counterfeit-reports/{id}', 'patch'>) => Promise<unknown>;
}) {
  const { t } = useTranslation('reports');
  const [isAsking, setAsking] = useState(false);
  const [unitId, setUnitId] = useState('');
  const [productId, setProductId] = useState('');
  const current = { unitId: report.productUnitId ?? '', productId: report.productId ?? '' };
  if (isFixed(report)) return null;
  const ask = () => {
    setUnitId(current.unitId);
    setProductId(current.productId);
    setAsking(true);
  };
  const isKnown = report.productId !== null;
  return (
    <>
      <Button variant="default" size="xs" onClick={ask}>
        {t(isKnown ? 'identify.correct' : 'identify.verb')}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('identify.title')}
        action={t('save', { ns: 'common' })}
        isReady={unitId !== current.unitId || (unitId === '' && productId !== current.productId)}
        onConfirm={() =>
          change(
            unitId === '' ? { productUnitId: null, productId: productId || null } : { productUnitId: unitId },
          )
        }
        done={t('saved', { ns: 'common' })}
      >
        <Stack gap="sm">
          {t(report.resolution === 'counterfeit' ? 'identify.textCounterfeit' : 'identify.text')}
          <RemoteSelect
            source={UNIT}
            clearable
            label={t('unit')}
            description={t('unitHint')}
            value={unitId}
            onChange={setUnitId}
          />
          {unitId === '' && (
            <RemoteSelect
              source={ALL_PRODUCTS}
              clearable
              label={t('product')}
              description={t('productHint')}
              value={productId}
              onChange={setProductId}
            />
          )}
        </Stack>
      </Confirm>
    </>
  );
}
