import { Anchor, Button, Paper, Text } from '@mantine/core';
import { IconArchive, IconPencil } from '@tabler/icons-react';
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
import { ShortId } from '../../components/short-id.tsx';
import { Loaded } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
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
  const { t } = useTranslation('products');
  const mayWrite = useMay('products.write');
  const [isAsking, setAsking] = useState(false);
  const archive = useChange(
    () => api.post('/api/v1/products/{id}/archive', { path: { id: product.id } }),
    ['/api/v1/products'],
  );
  const isArchived = product.archivedAt !== null;
  return (
    <>
      <PageHeader
        title={product.name}
        badge={isArchived && <StatusBadge tone="neutral" label={t('archived')} icon={IconArchive} />}
        parents={[{ label: t('title'), to: '/products' }]}
        actions={
          mayWrite && (
            <>
              {!isArchived && (
                <Button
                  variant="default"
                  leftSection={<IconArchive size={16} aria-hidden />}
                  onClick={() => setAsking(true)}
                >
                  {t('archive')}
                </Button>
              )}
              <Button
                component={Link}
                to={`/products/${product.id}/edit`}
                leftSection={<IconPencil size={16} aria-hidden />}
              >
                {t('edit', { ns: 'common' })}
              </Button>
            </>
          )
        }
      />
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
          <Text mt="md" maw={720} style={{ whiteSpace: 'pre-wrap' }}>
            {product.description}
          </Text>
        )}
      </Paper>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('archiveTitle', { name: product.name })}
        action={t('archive')}
        onConfirm={() => archive.mutateAsync(undefined)}
        done={t('archiveDone')}
      >
        {t('archiveText')}
      </Confirm>
    </>
  );
}
