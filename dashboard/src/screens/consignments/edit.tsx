import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { isUnchanged } from '../../components/changes-of.ts';
import { notify } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/states.tsx';
import { ConsignmentForm } from './consignment-form.tsx';
import type { Consignment } from './status.tsx';

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const consignment = useApi('/api/v1/consignments/{id}', { path: { id } });
  return (
    <Loaded query={consignment} isScreen>
      {(current) => <Edit key={current.id} consignment={current} />}
    </Loaded>
  );
}

function Edit({ consignment }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  const navigate = useNavigate();
  const { id, reference, sscc, status } = consignment;
  // What was begun stays to be read, with why it was refused, where it leaves meanwhile.
  const [isDraft] = useState(status === 'draft');
  const correct = useChange(
    (body: BodyOf<'/api/v1/consignments/{id}', 'patch'>) =>
      api.patch('/api/v1/consignments/{id}', { path: { id }, body }),
    ['/api/v1/consignments'],
  );
  const back = `/consignments/${id}`;
  return (
    <>
      <PageHeader
        title={t('editTitle')}
        parents={[
          { label: t('title'), to: '/consignments' },
          { label: reference ?? sscc ?? t('unnamed'), to: back },
        ]}
      />
      {isDraft ? (
        <ConsignmentForm
          consignment={consignment}
          submit={async (_body, _idempotencyKey, changes) =>
            isUnchanged(changes) ? consignment : correct.mutateAsync(changes)
          }
          onDone={() => {
            notify(t('saved', { ns: 'common' }));
            void navigate({ to: back });
          }}
          cancelTo={back}
        />
      ) : (
        <Alert variant="light" icon={<IconInfoCircle aria-hidden />} maw={720}>
          {t('notDraft')}
        </Alert>
      )}
    </>
  );
}
