import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import type { Schemas } from '../api/types.gen.ts';
import { useChange } from '../api/use-api.ts';
import { useMay } from '../auth/me.ts';
import { Confirm } from './confirm.tsx';

interface CancelBulkProps {
  job: Schemas['BulkJob'];
  /** What becomes of what is done. */
  children: string;
}

/** Stops a bulk job, for whoever may; nothing is left to be pressed or asked where it has come to its end. */
export function CancelBulk({ job, children }: CancelBulkProps) {
  const { t } = useTranslation();
  const mayConsign = useMay('consignments.write');
  const mayMove = useMay('product_units.write');
  const [isAsking, setAsking] = useState(false);
  const cancel = useChange(
    () => api.post('/api/v1/bulk-jobs/{id}/cancel', { path: { id: job.id } }),
    ['/api/v1/bulk-jobs'],
  );
  if (!(job.action === 'consign' ? mayConsign : mayMove)) return null;
  const isOpen = job.finishedAt === null && job.cancelRequestedAt === null;
  return (
    <>
      {isOpen && (
        <Button
          mt="xs"
          size="compact-sm"
          variant="default"
          leftSection={<IconBan size={14} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {t('cancelJob')}
        </Button>
      )}
      <Confirm
        opened={isAsking && isOpen}
        onClose={() => setAsking(false)}
        title={t('cancelJobTitle')}
        action={t('cancelJob')}
        isDangerous
        onConfirm={() => cancel.mutateAsync(undefined)}
      >
        {children}
      </Confirm>
    </>
  );
}
