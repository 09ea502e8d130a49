import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { isUnchanged } from '../../components/changes-of.ts';
import { notify } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/states.tsx';
import { ProductForm } from './product-form.tsx';

export function Screen() {
  const { t } = useTranslation('products');
  const navigate = useNavigate();
  const { id = '' } = useParams({ strict: false });
  const product = useApi('/api/v1/products/{id}', { path: { id } });
  const update = useChange(
    (body: BodyOf<'/api/v1/products/{id}', 'patch'>) =>
      api.patch('/api/v1/products/{id}', { path: { id }, body }),
    ['/api/v1/products'],
  );
  const back = `/products/${id}`;
  return (
    <Loaded query={product} isScreen>
      {(current) => (
        <>
          <PageHeader
            title={t('editTitle')}
            parents={[
              { label: t('title'), to: '/products' },
              { label: current.name, to: back },
            ]}
          />
          <ProductForm
            product={current}
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
