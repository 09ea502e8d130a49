import { Button, FileButton } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PHOTO_TYPES, useAddPhotos } from './use-add-photos.ts';

/** Adds photos to a report that is there. */
export function AddPhotos({ reportId }: { reportId: string }) {
  const { t } = useTranslation('reports');
  const [isBusy, setBusy] = useState(false);
  const forget = useRef<() => void>(null);
  const add = useAddPhotos();
  return (
    <FileButton
      accept={PHOTO_TYPES}
      multiple
      resetRef={forget}
      onChange={(chosen) => {
        // A browser says nothing of a file that it has chosen already: mended, the same one could not be sent again.
        forget.current?.();
        setBusy(true);
        void add(reportId, chosen).finally(() => setBusy(false));
      }}
    >
      {(props) => (
        <Button
          {...props}
          mt="md"
          size="xs"
          variant="default"
          leftSection={<IconPhotoPlus size={16} aria-hidden />}
          loading={isBusy}
        >
          {t('addPhotos')}
        </Button>
      )}
    </FileButton>
  );
}
