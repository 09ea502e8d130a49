import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { Decide } from '../../components/decide.tsx';
import { orNotify } from '../../components/notify.ts';
import { REASONS, type ClosingReason } from './status.tsx';

type Change = BodyOf<'/api/v1/risk-cases/{id}', 'patch'>;
type Outcome = keyof typeof REASONS;

/** Moves a case along: looks into it, confirms it, dismisses it. A decision can be corrected to the other one. */
export function CaseActions({
  riskCase,
  change,
}: {
  riskCase: Schemas['RiskCaseWithNotes'];
  change: (body: Change) => Promise<unknown>;
}) {
  const { t } = useTranslation('cases');
  const [asked, setAsked] = useState<Outcome>('dismissed');
  const [isAsking, setAsking] = useState(false);
  const ask = (outcome: Outcome) => {
    setAsked(outcome);
    setAsking(true);
  };
  const { status } = riskCase;
  return (
    <>
      {(status === 'open' || status === 'investigating') && (
        // One button, so that it keeps the focus.
        <Button
          variant={status === 'open' ? 'default' : 'subtle'}
          onClick={() => orNotify(change({ status: status === 'open' ? 'investigating' : 'open' }))}
        >
          {t(status === 'open' ? 'investigate' : 'putBack')}
        </Button>
      )}
      {status !== 'dismissed' && (
        <Button variant="default" onClick={() => ask('dismissed')}>
          {t('dismiss')}
        </Button>
      )}
      {status !== 'confirmed' && (
        <Button color="#b42318" onClick={() => ask('confirmed')}>
          {t('confirm')}
        </Button>
      )}
      <Decide
        opened={isAsking}
        onClose={() => setAsking(false)}
        state={t(`statuses.${status}`)}
        isMoot={status === asked}
        title={t(`ask.${asked}.title`)}
        action={t(`ask.${asked}.action`)}
        isDangerous={asked === 'confirmed'}
        reasons={REASONS[asked].map((value) => ({ value, label: t(`reasons.${value}`) }))}
        onDecide={(reason, note) =>
          change({
            status: asked,
            closingReason: reason as ClosingReason,
            ...(note === undefined ? {} : { note }),
          })
        }
        done={t(`ask.${asked}.done`)}
      >
        {riskCase.suspiciousScans === 0
          ? t(`ask.${asked}.textNone`)
          : t(`ask.${asked}.text`, { count: riskCase.suspiciousScans })}
      </Decide>
    </>
  );
}
