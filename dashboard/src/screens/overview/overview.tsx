import { Button, Paper, Stack, Title } from '@mantine/core';
import { IconRocket } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { useFormats } from '../../i18n/format.ts';
import { Attention } from './attention.tsx';
import { Figures } from './figures.tsx';
import { Filters } from './filters.tsx';
import { ScanMap } from './scan-map.tsx';
import { ScansOverTime } from './scans-over-time.tsx';
import { useSpan } from './span.ts';
import { TopProducts } from './top-products.tsx';

/** Before anything was minted. */
const BEGINNING = '2000-01-01T00:00:00Z';

export function Screen() {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const [{ productId }] = useFilters();
  const span = useSpan();
  const query = { from: span.from, to: span.to, productId };
  const summary = useApi('/api/v1/analytics/summary', { query });
  const toDate = useApi('/api/v1/analytics/funnel', { query: { ...query, from: BEGINNING } });
  const anything = useApi('/api/v1/products', { query: { archived: 'all', limit: 1 } });
  const isEmpty = anything.data?.data.length === 0;
  return (
    <>
      <PageHeader
        title={t('title')}
        description={
          isEmpty
            ? undefined
            : t('lead', {
                days: formats.calendarDays(span.since, span.until),
                zone: formats.timeZone,
              })
        }
      />
      {isEmpty ? (
        <Welcome />
      ) : (
        <>
          <Filters span={span} />
          <Figures span={span} summary={summary} toDate={toDate} />
          <div className="overview">
            <Card title={t('overTime')} area="time">
              <ScansOverTime span={span} productId={productId} />
            </Card>
            <Card title={t('attention.title')} area="attention">
              <Attention />
            </Card>
            <Card title={t('map.title')} area="map">
              <ScanMap span={span} query={query} />
            </Card>
            <Card title={t('topProducts.title')} area="products">
              <TopProducts summary={summary} />
            </Card>
          </div>
        </>
      )}
    </>
  );
}

function Card({ title, area, children }: { title: string; area: string; children: ReactNode }) {
  return (
    <Paper component="section" p="md" aria-label={title} style={{ gridArea: area, minWidth: 0 }}>
      <Title order={2} mb={6}>
        {title}
      </Title>
      {children}
    </Paper>
  );
}

/** Before the first product there is nothing to watch. */
function Welcome() {
  const { t } = useTranslation('overview');
  const mayWrite = useMay('products.write');
  return (
    <Paper>
      <EmptyState
        icon={IconRocket}
        title={t('welcome.title')}
        action={
          mayWrite && (
            <Button component={Link} to="/products/new">
              {t('welcome.action')}
            </Button>
          )
        }
      >
        <Stack gap={4}>{t('welcome.text')}</Stack>
      </EmptyState>
    </Paper>
  );
}
