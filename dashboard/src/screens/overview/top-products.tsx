import { Anchor, Table, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { Loaded, LoadingRows } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';

const SHOWN = 8;

/** Those with most suspicious and diverted scans first. */
export function TopProducts({ summary }: { summary: UseQueryResult<Schemas['AnalyticsSummary']> }) {
  const { t } = useTranslation('overview');
  const { number } = useFormats();
  return (
    <Loaded query={summary} skeleton={<LoadingRows rows={SHOWN} />}>
      {({ topProducts }) =>
        topProducts.length === 0 ? (
          <Text c="dimmed" size="sm" py="md">
            {t('noScans')}
          </Text>
        ) : (
          <Table className="top-products" horizontalSpacing={6} verticalSpacing={7} fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('product')}</Table.Th>
                <Table.Th ta="end">{t('results.suspicious')}</Table.Th>
                <Table.Th ta="end">{t('results.diverted')}</Table.Th>
                <Table.Th ta="end">{t('figures.scans')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {topProducts.slice(0, SHOWN).map(({ productId, name, scans, suspicious, diverted }) => (
                <Table.Tr key={productId}>
                  <Table.Th scope="row" fw={450}>
                    <Anchor component={Link} to={`/products/${productId}`} fz="sm">
                      {name}
                    </Anchor>
                  </Table.Th>
                  {[suspicious, diverted, scans].map((count, index) => (
                    <Table.Td key={index} ta="end" className="num" c={count === 0 ? 'dimmed' : undefined}>
                      {number(count)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )
      }
    </Loaded>
  );
}
