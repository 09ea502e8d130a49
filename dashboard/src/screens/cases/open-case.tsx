import { Button, Textarea, type ButtonProps } from '@mantine/core';
import { IconBriefcase } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';
import { useGoOn } from '../../components/use-go-on.ts';

const WORDS = { none: 'open.text', open: 'open.moot', confirmed: 'open.confirmed' } as const;

/**
 * Opens a case for a unit of which people know what its scans do not show, and goes there.
 * @param state of its cases by now: only `none` offers it, and what somebody is typing meanwhile is kept
 * @param reportId the report that tells of it
 */
export function OpenCase({
  unitId,
  state,
  reportId,
  ...button
}: { unitId: string; state: 'none' | 'open' | 'confirmed'; reportId?: string } & Pick<ButtonProps, 'size'>) {
  const { t } = useTranslation('cases');
  const goOn = useGoOn();
  const [isAsking, setAsking] = useState(false);
  const [note, setNote] = useState('');
  const open = useChange(
    () =>
      api.post('/api/v1/risk-cases', {
        body: {
          productUnitId: unitId,
          ...(note.trim() === '' ? {} : { note: note.trim() }),
          ...(reportId === undefined ? {} : { reportId }),
        },
      }),
    ['/api/v1/risk-cases', '/api/v1/product-units', '/api/v1/counterfeit-reports'],
  );
  return (
    <>
      {state === 'none' && (
        <Button
          variant="default"
          leftSection={<IconBriefcase size={16} aria-hidden />}
          onClick={() => setAsking(true)}
          {...button}
        >
          {t('open.verb')}
        </Button>
      )}
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('open.title')}
        action={t('open.action')}
        isReady={state !== 'confirmed'}
        onConfirm={async () => {
          const lead = goOn();
          const { id } = await open.mutateAsync(undefined);
          await lead(`/cases/${id}`);
        }}
        done={t('open.done')}
      >
        {t(WORDS[open.isPending || open.isSuccess ? 'none' : state])}
        <Textarea
          mt="sm"
          label={t('open.note')}
          description={t('decide.noteHint', { ns: 'common' })}
          autosize
          minRows={2}
          maxLength={4000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </Confirm>
    </>
  );
}
