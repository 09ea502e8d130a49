import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Options } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { WebhookForm } from './webhook-form.tsx';

export function Screen() {
  const { t } = useTranslation('developers');
  const navigate = useNavigate();
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const create = useChange(
    (options: Options<'/api/v1/webhook-endpoints', 'post'>) => api.post('/api/v1/webhook-endpoints', options),
    ['/api/v1/webhook-endpoints'],
  );
  return (
    <>
      <PageHeader
        title={t('webhooks.new')}
        description={t('webhooks.newLead')}
        parents={[{ label: t('webhooks.title'), to: '/developers/webhooks' }]}
      />
      <WebhookForm
        endpoint={null}
        submit={(body, idempotencyKey) => create.mutateAsync({ body, idempotencyKey })}
        onDone={({ id, secret, format }) => {
          // A channel verifies nothing.
          if (format === 'event') setMade({ id, secret });
          else void navigate({ to: `/developers/webhooks/${id}` });
        }}
        cancelTo="/developers/webhooks"
      />
      <SecretOnce
        title={t('webhooks.secretTitle')}
        secret={made?.secret ?? null}
        onClose={() => void navigate({ to: `/developers/webhooks/${made!.id}` })}
      />
    </>
  );
}
