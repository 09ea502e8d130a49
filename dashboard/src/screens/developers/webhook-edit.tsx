import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { isUnchanged } from '../../components/changes-of.ts';
import { notify } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/states.tsx';
import { WebhookForm } from './webhook-form.tsx';

export function Screen() {
  const { t } = useTranslation('developers');
  const navigate = useNavigate();
  const { id = '' } = useParams({ strict: false });
  const endpoint = useApi('/api/v1/webhook-endpoints/{id}', { path: { id } });
  const update = useChange(
    (body: BodyOf<'/api/v1/webhook-endpoints/{id}', 'patch'>) =>
      api.patch('/api/v1/webhook-endpoints/{id}', { path: { id }, body }),
    ['/api/v1/webhook-endpoints'],
  );
  const back = `/developers/webhooks/${id}`;
  return (
    <Loaded query={endpoint} isScreen>
      {(current) => (
        <>
          <PageHeader
            title={t('webhooks.editTitle')}
            parents={[
              { label: t('webhooks.title'), to: '/developers/webhooks' },
              { label: new URL(current.url).host, to: back },
            ]}
          />
          <WebhookForm
            endpoint={current}
            submit={async (_body, _idempotencyKey, changes) =>
              isUnchanged(changes) ? current : update.mutateAsync(changes)
            }
            onDone={() => {
              notify(t('saved', { ns: 'common' }));
              void navigate({ to: back });
            }}
            cancelTo={back}
          />
        </>
      )}
    </Loaded>
  );
}
