import { Anchor, Button, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconPencil, IconPlus } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RecallLink } from '../../components/recall-link.tsx';
import { RelatedList } from '../../components/related-list.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Loaded } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useBatchColumns } from '../batches/columns.tsx';
import { RecentScans } from '../units/recent-scans.tsx';
import { shownAttribute } from './attributes.tsx';
import { Markets } from './markets.tsx';

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const product = useApi('/api/v1/products/{id}', { path: { id } });
  return (
    <Loaded query={product} isScreen>
      {(current) => <Product product={current} />}
    </Loaded>
  );
}

function Product({ product }: { product: Schemas['Product'] }) {
  const { t, i18n } = useTranslation('products');
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const { t: batchText } = useTranslation('batches');
  const mayWrite = useMay('products.write');
  const mayAddBatches = useMay('batches.write');
  const maySeeScans = useMay('scans.read');
  const columns = useBatchColumns('product');
  const [isAsking, setAsking] = useState(false);
  // Kept while the question fades away.
  const [isUndoing, setUndoing] = useState(false);
  const archive = useChange(
    () => api.post('/api/v1/products/{id}/archive', { path: { id: product.id } }),
    ['/api/v1/products'],
  );
  const unarchive = useChange(
    () => api.post('/api/v1/products/{id}/unarchive', { path: { id: product.id } }),
    ['/api/v1/products'],
  );
  const isArchived = product.archivedAt !== null;
  const attributes = Object.entries(product.attributes);
  return (
    <>
      <PageHeader
        title={product.name}
        badge={isArchived && <StatusBadge tone="neutral" label={t('archived')} icon={IconArchive} />}
        parents={[{ label: t('title'), to: '/products' }]}
        actions={
          <>
            {mayWrite && (
              <Button
                variant="default"
                leftSection={
                  isArchived ? (
                    <IconArchiveOff size={16} aria-hidden />
                  ) : (
                    <IconArchive size={16} aria-hidden />
                  )
                }
                onClick={() => {
                  setUndoing(isArchived);
                  setAsking(true);
                }}
              >
                {t(isArchived ? 'unarchive' : 'archive')}
              </Button>
            )}
            <RecallLink target={product.id} />
            {mayWrite && (
              <Button
                component={Link}
                to={`/products/${product.id}/edit`}
                variant="default"
                leftSection={<IconPencil size={16} aria-hidden />}
              >
                {t('edit', { ns: 'common' })}
              </Button>
            )}
            {mayWrite && !isArchived && mayAddBatches && (
              <Button
                component={Link}
                to="/batches/new"
                search={{ productId: product.id } as never}
                leftSection={<IconPlus size={16} aria-hidden />}
              >
                {batchText('new')}
              </Button>
            )}
          </>
        }
      />
      <Stack>
        <Paper p="lg">
          <Facts
            facts={[
              { label: t('sku'), value: <span className="mono">{product.sku}</span> },
              { label: t('gtin'), value: product.gtin && <span className="mono">{product.gtin}</span> },
              { label: t('brand'), value: product.brand },
              { label: t('markets'), value: <Markets codes={product.markets} /> },
              {
                label: t('imageUrl'),
                value: product.imageUrl && (
                  <Anchor href={product.imageUrl} target="_blank" rel="noreferrer noopener">
                    {new URL(product.imageUrl).host}
                  </Anchor>
                ),
              },
              { label: t('created'), value: <Time at={product.createdAt} /> },
              { label: t('changed'), value: <Time at={product.updatedAt} /> },
              { label: t('id'), value: <ShortId id={product.id} /> },
            ]}
          />
          {product.description !== null && (
            <Text mt="md" maw={720} className="as-written" style={{ whiteSpace: 'pre-wrap' }}>
              {product.description}
            </Text>
          )}
        </Paper>
        {product.links.length > 0 && (
          <Paper p="lg" component="section" aria-label={t('links')}>
            <Title order={2} mb="sm">
              {t('links')}
            </Title>
            <Facts
              facts={product.links.map(({ linkType, title, url, language }) => ({
                label: language === null ? linkType : `${linkType} · ${names.of(language)}`,
                value: (
                  <Anchor href={url} target="_blank" rel="noreferrer noopener" dir="auto">
                    {title}
                  </Anchor>
                ),
              }))}
            />
          </Paper>
        )}
        {attributes.length > 0 && (
          <Paper p="lg" component="section" aria-label={t('attributes')}>
            <Title order={2} mb="sm">
              {t('attributes')}
            </Title>
            <Facts
              facts={attributes.map(([name, value]) => ({ label: name, value: shownAttribute(value) }))}
            />
          </Paper>
        )}
        <RelatedList
          title={batchText('title')}
          path="/api/v1/batches"
          query={{ productId: product.id }}
          columns={columns}
          linkTo={(batch) => `/batches/${batch.id}`}
          empty={batchText('noneText')}
          more={{ label: batchText('allJobs'), to: '/batches', search: { productId: product.id } }}
        />
        {maySeeScans && <RecentScans of={{ productId: product.id }} />}
      </Stack>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t(isUndoing ? 'unarchiveTitle' : 'archiveTitle', { name: product.name })}
        action={t(isUndoing ? 'unarchive' : 'archive')}
        onConfirm={() => (isUndoing ? unarchive : archive).mutateAsync(undefined)}
        done={t(isUndoing ? 'unarchiveDone' : 'archiveDone')}
      >
        {t(isUndoing ? 'unarchiveText' : 'archiveText')}
      </Confirm>
    </>
  );
}
