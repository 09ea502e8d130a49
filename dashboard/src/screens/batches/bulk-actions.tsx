import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';
import { disabledIf } from '../../components/disabled-if.ts';

type Action = 'activate' | 'suspend';

/** How many units an action moves. */
const movedBy: Record<Action, (counts: Schemas['UnitCounts']) => number> = {
  activate: ({ minted, suspended }) => minted + suspended,
  suspend: ({ active }) => active,
};

interface BulkActionsProps {
  batchId: string;
  counts: Schemas['UnitCounts'] | undefined;
  /** Of the job that does it. */
  onStarted: (jobId: string) => void;
}

/** Moves every unit of a batch that can be moved, after saying how many these are. */
export function BulkActions({ batchId, counts, onStarted }: BulkActionsProps) {
  const { t } = useTranslation('batches');
  const [asked, setAsked] = useState<Action>('suspend');
  const [isAsking, setAsking] = useState(false);
  const start = useChange(
    (action: Action) => api.post('/api/v1/product-units/bulk', { body: { action, batchId } }),
    ['/api/v1/bulk-jobs'],
  );
  const isMoot = (action: Action) => counts === undefined || movedBy[action](counts) === 0;
  const button = (action: Action) => (
    <Button
      variant="default"
      leftSection={
        action === 'activate' ? (
          <IconPlayerPlay size={16} aria-hidden />
        ) : (
          <IconPlayerPause size={16} aria-hidden />
        )
      }
      {...disabledIf(isMoot(action))}
      onClick={() => {
        if (isMoot(action)) return;
        setAsked(action);
        setAsking(true);
      }}
    >
      {t(`${action}All`)}
    </Button>
  );
  const count = counts === undefined ? 0 : movedBy[asked](counts);
  const words = (key: string, of: number) => t(key, { count: of });
  return (
    <>
      {button('activate')}
      {button('suspend')}
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={words(`${asked}Title`, count)}
        action={words(`${asked}Verb`, count)}
        isDangerous={asked === 'suspend'}
        onConfirm={async () => {
          const { pathname } = location;
          const { id } = await start.mutateAsync(asked);
          // Whoever has left is told of it by the overview.
          if (location.pathname === pathname) onStarted(id);
        }}
      >
        <p style={{ margin: 0 }}>{t(`${asked}Text`)}</p>
        {counts !== undefined && asked === 'activate' && counts.voided > 0 && (
          <p style={{ marginBlockEnd: 0 }}>{words('voidedStay', counts.voided)}</p>
        )}
        {counts !== undefined && asked === 'suspend' && counts.minted > 0 && (
          <p style={{ marginBlockEnd: 0 }}>{words('mintedStay', counts.minted)}</p>
        )}
      </Confirm>
    </>
  );
}
