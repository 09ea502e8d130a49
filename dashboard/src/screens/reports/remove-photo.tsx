import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';

/** Takes a photo off its report: it shows what nobody should keep, or belongs elsewhere. */
export function RemovePhoto({
  reportId,
  photoId,
  number,
}: {
  reportId: string;
  photoId: string;
  number: number;
}) {
  const { t } = useTranslation('reports');
  const [isAsking, setAsking] = useState(false);
  const remove = useChange(
    () =>
      api.delete('/api/v1/counterfeit-reports/{id}/photos/{photoId}', { path: { id: reportId, photoId } }),
    ['/api/v1/counterfeit-reports'],
  );
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        {t('removePhoto.verb')}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('removePhoto.title', { number })}
        action={t('removePhoto.action')}
        isDangerous
        onConfirm={() => remove.mutateAsync(undefined)}
        done={t('removePhoto.done')}
      >
        {t('removePhoto.text')}
      </Confirm>
    </>
  );
}
