import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ConsignmentForm } from './consignment-form.tsx';

export function Screen() {
  const { t } = useTranslation('consignments');
  const navigate = useNavigate();
  const create = useChange(
    (options: { body: BodyOf<'/api/v1/consignments'>; idempotencyKey: string }) =>
      api.post('/api/v1/consignments', options),
    ['/api/v1/consignments'],
  );
  return (
    <>
      <PageHeader
        title={t('new')}
        description={t('newLead')}
        parents={[{ label: t('title'), to: '/consignments' }]}
      />
      <ConsignmentForm
        consignment={null}
        submit={(body, idempotencyKey) => create.mutateAsync({ body, idempotencyKey })}
        onDone={({ id }) => void navigate({ to: `/consignments/${id}` })}
        cancelTo="/consignments"
      />
    </>
  );
}
