import { Alert, Button, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/states.tsx';

/** A completed job whose units still say "not in use yet": what to do about it, and where. */
export function NextStep({ job }: { job: Schemas['BarcodeJob'] }) {
  const { t } = useTranslation('minting');
  const isDone = job.status === 'completed' && !job.activate;
  const counts = useApi(
    '/api/v1/batches/{id}/unit-counts',
    { path: { id: job.batchId } },
    { enabled: isDone },
  );
  if (!isDone) return null;
  return (
    <Loaded query={counts} isBrief>
      {({ minted }) =>
        minted > 0 && (
          <Alert color="blue" variant="light" icon={<IconPlayerPlay aria-hidden />} title={t('nextTitle')}>
            <Text size="sm" mb="xs">
              {t('nextText')}
            </Text>
            <Button component={Link} to={`/batches/${job.batchId}`} variant="default" size="compact-sm">
              {t('nextAction')}
            </Button>
          </Alert>
        )
      }
    </Loaded>
  );
}
