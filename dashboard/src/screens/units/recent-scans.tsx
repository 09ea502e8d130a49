import { useTranslation } from 'react-i18next';
import { RelatedList } from '../../components/related-list.tsx';
import { Time } from '../../components/time.tsx';
import { UnitName } from '../../components/unit-name.tsx';
import { useFormats } from '../../i18n/format.ts';
import { RiskScore, ScanResultBadges } from '../scans/badges.tsx';

/** The newest scans of a product's or a batch's units. */
export function RecentScans({ of }: { of: { productId: string } | { batchId: string } }) {
  const { t } = useTranslation('units');
  const { t: scanText } = useTranslation('scans');
  const { t: batchText } = useTranslation('batches');
  const formats = useFormats();
  return (
    <RelatedList
      title={t('recentScans')}
      path="/api/v1/scans"
      query={of}
      columns={[
        { id: 'at', header: scanText('at'), cell: (scan) => <Time at={scan.at} /> },
        { id: 'result', header: scanText('result'), cell: (scan) => <ScanResultBadges scan={scan} /> },
        {
          id: 'unit',
          header: scanText('unit'),
          cell: (scan) => <UnitName unitId={scan.productUnitId} productId={scan.productId} />,
        },
        {
          id: 'place',
          header: scanText('place'),
          cell: ({ country }) => (country === null ? '–' : formats.country(country)),
        },
        {
          id: 'risk',
          header: scanText('risk'),
          cell: ({ risk }) => <RiskScore level={risk.level} score={risk.score} />,
        },
      ]}
      linkTo={(scan) => `/scans/${scan.id}`}
      empty={t('noScans')}
      more={{ label: batchText('allJobs'), to: '/scans', search: of }}
    />
  );
}
