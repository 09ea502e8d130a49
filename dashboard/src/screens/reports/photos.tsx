import { Modal, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';

type Photo = Schemas['CounterfeitReportDetail']['photos'][number];

/** The photo's bytes, through its signed link on this host; kept while the screen is open, as the link lasts some minutes. */
function usePhoto({ id, url }: Photo): { address: string | undefined; isLost: boolean } {
  const { data: bytes, isError } = useQuery({
    queryKey: ['report-photo', id],
    queryFn: async ({ signal }) => {
      const response = await fetch(url!.replace(/^https?:\/\/[^/]+/, ''), { signal });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return response.blob();
    },
    enabled: url !== null,
    staleTime: Infinity,
  });
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (bytes === undefined) return;
    const made = URL.createObjectURL(bytes);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return { address, isLost: isError };
}

/** One photo of a reporter, larger when pressed. */
export function ReportPhoto({ photo, number }: { photo: Photo; number: number }) {
  const { t } = useTranslation('reports');
  const [isOpen, setOpen] = useState(false);
  const { address, isLost } = usePhoto(photo);
  const label = t('photo', { number });
  if (photo.state === 'refused' || isLost)
    return (
      <div className="report-photo">
        <Text size="xs" c="dimmed" p="sm">
          {t('photoRefused')}
        </Text>
      </div>
    );
  if (photo.state === 'waiting')
    return (
      <div className="report-photo">
        <Text size="xs" c="dimmed" p="sm" role="status">
          {t('photoWaiting')}
        </Text>
      </div>
    );
  if (address === undefined) return <Skeleton className="report-photo" />;
  return (
    <>
      <UnstyledButton
        className="report-photo"
        onClick={() => setOpen(true)}
        aria-label={t('enlarge', { number })}
      >
        <img src={address} alt={label} />
      </UnstyledButton>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={label}
        size="xl"
        closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
      >
        <img src={address} alt={label} className="report-photo-large" />
      </Modal>
    </>
  );
}
