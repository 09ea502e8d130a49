import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { isUnchanged } from '../../components/changes-of.ts';
import { notify } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/states.tsx';
import { BatchForm } from './batch-form.tsx';
import { batchName } from './columns.tsx';

export function Screen() {
  const { t } = useTranslation('batches');
  const navigate = useNavigate();
  const { id = '' } = useParams({ strict: false });
  const batch = useApi('/api/v1/batches/{id}', { path: { id } });
  const correct = useChange(
    (body: BodyOf<'/api/v1/batches/{id}', 'patch'>) =>
      api.patch('/api/v1/batches/{id}', { path: { id }, body }),
    ['/api/v1/batches', '/api/v1/product-units'],
  );
  const back = `/batches/${id}`;
  return (
    <Loaded query={batch} isScreen>
      {(current) => (
        <>
          <PageHeader
            title={t('editTitle')}
            parents={[
              { label: t('title'), to: '/batches' },
              { label: batchName(current), to: back },
            ]}
          />
          <BatchForm
            batch={current}
            submit={async (_body, _idempotencyKey, changes) =>
              isUnchanged(changes) ? current : correct.mutateAsync(changes)
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
