import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ProductForm } from './product-form.tsx';

export function Screen() {
  const { t } = useTranslation('products');
  const navigate = useNavigate();
  const create = useChange(
    (options: Parameters<typeof api.post<'/api/v1/products'>>[1]) => api.post('/api/v1/products', options),
    ['/api/v1/products'],
  );
  return (
    <>
      <PageHeader title={t('new')} parents={[{ label: t('title'), to: '/products' }]} />
      <ProductForm
        product={null}
        submit={(body, idempotencyKey) => create.mutateAsync({ body, idempotencyKey })}
        onDone={({ id }) => void navigate({ to: `/products/${id}` })}
        cancelTo="/products"
      />
    </>
  );
}
