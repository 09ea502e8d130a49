import { Anchor, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { Loaded, LoadingRows } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Kept } from './kept.tsx';

const SHOWN = 8;

/** Those with most suspicious and diverted scans first. */
export function TopProducts({ summary }: { summary: UseQueryResult<Schemas['AnalyticsSummary']> }) {
  const { t } = useTranslation('overview');
  const { number } = useFormats();
  return (
    <Loaded query={summary} skeleton={<LoadingRows rows={SHOWN} />}>
      {({ topProducts }) => (
        <Kept isStale={summary.isPlaceholderData}>
          {topProducts.length === 0 ? (
            <Text c="dimmed" size="sm" py="md">
              {t('noScans')}
            </Text>
          ) : (
            <table className="top-products">
              <thead>
                <tr>
                  <th>{t('product')}</th>
                  <th className="num">{t('results.suspicious')}</th>
                  <th className="num">{t('results.diverted')}</th>
                  <th className="num">{t('figures.scans')}</th>
                </tr>
              </thead>
              <tbody>
                {topProducts.slice(0, SHOWN).map(({ productId, name, scans, suspicious, diverted }) => (
                  <tr key={productId}>
                    <th scope="row">
                      <Anchor component={Link} to={`/products/${productId}`} fz="sm">
                        {name}
                      </Anchor>
                    </th>
                    {[suspicious, diverted, scans].map((count, index) => (
                      <td key={index} className="num" data-none={count === 0 || undefined}>
                        {number(count)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Kept>
      )}
    </Loaded>
  );
}
