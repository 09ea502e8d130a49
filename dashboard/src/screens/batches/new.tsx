import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { BatchForm } from './batch-form.tsx';

export function Screen() {
  const { t } = useTranslation('batches');
  const navigate = useNavigate();
  const [{ productId }] = useFilters();
  const create = useChange(
    (options: Parameters<typeof api.post<'/api/v1/batches'>>[1]) => api.post('/api/v1/batches', options),
    ['/api/v1/batches'],
  );
  return (
    <>
      <PageHeader title={t('new')} parents={[{ label: t('title'), to: '/batches' }]} />
      <BatchForm
        batch={null}
        productId={productId}
        submit={(body, idempotencyKey) => create.mutateAsync({ body, idempotencyKey })}
        onDone={({ id }) => void navigate({ to: `/batches/${id}` })}
        cancelTo="/batches"
      />
    </>
  );
}
