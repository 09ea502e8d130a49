import { Button, Textarea } from '@mantine/core';
import {
  IconArrowBackUp,
  IconBan,
  IconBottle,
  IconPlayerPause,
  IconPlayerPlay,
  IconRotate2,
  IconUrgent,
  type Icon,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';

type Unit = Schemas['ProductUnit'];
type Action = 'activate' | 'suspend' | 'void' | 'consume' | 'unconsume' | 'recall' | 'lift-recall';

const ICONS: Record<Action, Icon> = {
  activate: IconPlayerPlay,
  suspend: IconPlayerPause,
  void: IconBan,
  consume: IconBottle,
  unconsume: IconArrowBackUp,
  recall: IconUrgent,
  'lift-recall': IconRotate2,
};
const DANGEROUS: ReadonlySet<Action> = new Set(['void', 'recall', 'suspend']);

/** What may be done to a unit as it is; the likeliest last. */
function actionsFor({ status, recall, consumedAt }: Unit): Action[] {
  const use: Action = consumedAt === null ? 'consume' : 'unconsume';
  const own: Record<Unit['status'], Action[]> = {
    minted: ['void', 'activate'],
    active: [use, 'suspend'],
    suspended: [use, 'activate'],
    voided: [],
  };
  if (recall === null) return status === 'voided' ? [] : ['recall', ...own[status]];
  // A recall of its batch or product is lifted there, for all of its units.
  return recall.of === 'unit' ? [...own[status], 'lift-recall'] : own[status];
}

export function UnitActions({ unit }: { unit: Unit }) {
  const { t } = useTranslation('units');
  const [asked, setAsked] = useState<Action>('activate');
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const path = { id: unit.id };
  const act = useChange(
    (action: Action) =>
      action === 'recall'
        ? api.post('/api/v1/product-units/{id}/recall', { path, body: { reason: reason.trim() || null } })
        : action === 'consume'
          ? api.post('/api/v1/product-units/{id}/consume', { path, body: {} })
          : api.post(`/api/v1/product-units/{id}/${action}`, { path }),
    ['/api/v1/product-units', '/api/v1/batches', '/api/v1/recalls'],
  );
  return (
    <>
      {actionsFor(unit).map((action) => {
        const Picture = ICONS[action];
        return (
          <Button
            key={action}
            variant="default"
            leftSection={<Picture size={16} aria-hidden />}
            onClick={() => {
              setAsked(action);
              setReason('');
              setAsking(true);
            }}
          >
            {t(`action.${action}.verb`)}
          </Button>
        );
      })}
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t(`action.${asked}.title`, { serial: unit.serial })}
        action={t(`action.${asked}.verb`)}
        isDangerous={DANGEROUS.has(asked)}
        onConfirm={() => act.mutateAsync(asked)}
        done={t(`action.${asked}.done`)}
      >
        {t(`action.${asked}.text`)}
        {asked === 'recall' && (
          <Textarea
            mt="sm"
            label={t('recallReason')}
            description={t('recallReasonHint')}
            maxLength={1000}
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
      </Confirm>
    </>
  );
}
