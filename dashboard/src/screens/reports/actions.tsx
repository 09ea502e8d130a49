import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { Decide } from '../../components/decide.tsx';
import { orNotify } from '../../components/notify.ts';
import { RESOLUTIONS, type Resolution } from './status.tsx';

type Change = BodyOf<'/api/v1/counterfeit-reports/{id}', 'patch'>;
type Outcome = keyof typeof RESOLUTIONS;

/** Moves a report along; a closed one may be opened again. */
export function ReportActions({
  report: { status, productUnitId },
  change,
}: {
  report: Schemas['CounterfeitReportDetail'];
  change: (body: Change) => Promise<unknown>;
}) {
  const { t } = useTranslation('reports');
  const [asked, setAsked] = useState<Outcome>('dismissed');
  const [isAsking, setAsking] = useState(false);
  const ask = (outcome: Outcome) => {
    setAsked(outcome);
    setAsking(true);
  };
  return (
    <>
      {status !== 'investigating' && (
        <Button variant="default" onClick={() => orNotify(change({ status: 'investigating' }))}>
          {status === 'open' ? t('investigate') : t('reopen')}
        </Button>
      )}
      {status !== 'dismissed' && (
        <Button variant="default" onClick={() => ask('dismissed')}>
          {t('dismiss')}
        </Button>
      )}
      {status !== 'confirmed' && <Button onClick={() => ask('confirmed')}>{t('confirm')}</Button>}
      <Decide
        opened={isAsking}
        onClose={() => setAsking(false)}
        state={t(`statuses.${status}`)}
        isMoot={status === asked}
        title={t(`ask.${asked}.title`)}
        action={t(`ask.${asked}.action`)}
        reasons={RESOLUTIONS[asked].map((value) => ({ value, label: t(`resolutions.${value}`) }))}
        onDecide={(reason, note) =>
          change({
            status: asked,
            resolution: reason as Resolution,
            ...(note === undefined ? {} : { note }),
          })
        }
        done={t(`ask.${asked}.done`)}
      >
        {t(
          asked === 'confirmed' && productUnitId === null ? 'ask.confirmed.textNoCode' : `ask.${asked}.text`,
        )}
      </Decide>
    </>
  );
}
