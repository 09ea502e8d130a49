import { Button, Checkbox, Stack } from '@mantine/core';
import { IconBan, IconPencil, IconTruckDelivery } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';
import { RecallLink } from '../../components/recall-link.tsx';
import { Products } from './contents.tsx';
import { LinkOnce } from './receipt-link.tsx';
import type { Consignment } from './status.tsx';

/** What may be done with a consignment as it is: corrected, sent off, called off, recalled. */
export function Actions({ consignment }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  const { id, status, unitCount } = consignment;
  const [asking, setAsking] = useState<'dispatch' | 'cancel' | null>(null);
  const [activateUnits, setActivate] = useState(true);
  const [url, setUrl] = useState<string | null>(null);
  const dispatch = useChange(
    () => api.post('/api/v1/consignments/{id}/dispatch', { path: { id }, body: { activateUnits } }),
    ['/api/v1/consignments', '/api/v1/bulk-jobs'],
  );
  const cancel = useChange(
    () => api.post('/api/v1/consignments/{id}/cancel', { path: { id } }),
    ['/api/v1/consignments'],
  );
  const hasLeft = ['dispatched', 'received', 'partially_received'].includes(status);
  return (
    <>
      {(status === 'draft' || status === 'dispatched') && (
        <Button
          variant="default"
          leftSection={<IconBan size={16} aria-hidden />}
          onClick={() => setAsking('cancel')}
        >
          {t('callOff')}
        </Button>
      )}
      {hasLeft && <RecallLink target={id} />}
      {status === 'draft' && (
        <Button
          component={Link}
          to={`/consignments/${id}/edit`}
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
        >
          {t('edit', { ns: 'common' })}
        </Button>
      )}
      {status === 'draft' && (
        <Button
          disabled={unitCount === 0}
          leftSection={<IconTruckDelivery size={16} aria-hidden className="mirrored" />}
          onClick={() => setAsking('dispatch')}
        >
          {t('dispatch')}
        </Button>
      )}
      <Confirm
        opened={asking === 'dispatch'}
        onClose={() => setAsking(null)}
        title={t('dispatchTitle', { count: unitCount })}
        action={t('dispatch')}
        onConfirm={async () => setUrl((await dispatch.mutateAsync(undefined)).receiveUrl)}
      >
        <Stack gap="sm">
          <Products consignment={consignment} />
          <span>{t('dispatchText', { count: unitCount })}</span>
          <Checkbox
            label={t('activate')}
            description={t('activateHint')}
            checked={activateUnits}
            onChange={(event) => setActivate(event.currentTarget.checked)}
          />
        </Stack>
      </Confirm>
      <Confirm
        opened={asking === 'cancel'}
        onClose={() => setAsking(null)}
        title={t('callOffTitle')}
        action={t('callOff')}
        isDangerous
        onConfirm={() => cancel.mutateAsync(undefined)}
        done={t('calledOff')}
      >
        {t('callOffText', { count: unitCount })}
      </Confirm>
      <LinkOnce url={url} onClose={() => setUrl(null)} />
    </>
  );
}
