import { Button, Group, Modal, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorOf, reach } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { Person } from '../../components/people.tsx';
import { RemovePhoto } from './remove-photo.tsx';

type Report = Schemas['CounterfeitReportDetail'];
type Photo = Report['photos'][number];

const REPORT = { queryKey: ['/api/v1/counterfeit-reports/{id}'] };

/** The photo's bytes, through its signed link on this host; kept while the screen is open, as the link lasts some minutes. */
function usePhoto({ id, url }: Photo): {
  address: string | undefined;
  isAway: boolean;
  isFetching: boolean;
  fetchAgain: () => void;
} {
  const queryClient = useQueryClient();
  const {
    data: bytes,
    isError,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['report-photo', id],
    queryFn: async ({ signal }) => {
      // Of the report that was read last, which may not be drawn yet.
      const read = queryClient.getQueriesData<Report>(REPORT).flatMap(([, report]) => report?.photos ?? []);
      const link = read.find((photo) => photo.id === id)?.url ?? url!;
      const response = await reach(link.replace(/^https?:\/\/[^/]+/, ''), { signal });
      if (!response.ok) throw await errorOf(response);
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
  // The link may have ended: the report has a new one.
  const fetchAgain = () => void queryClient.invalidateQueries(REPORT).then(() => refetch());
  return { address, isAway: isError && bytes === undefined, isFetching, fetchAgain };
}

/**
 * One photo, larger when pressed.
 * @param reportId its report's, for whoever may remove it; null for anybody else
 */
export function ReportPhoto({
  photo,
  number,
  reportId,
}: {
  photo: Photo;
  number: number;
  reportId: string | null;
}) {
  const { t } = useTranslation('reports');
  const [isOpen, setOpen] = useState(false);
  const { address, isAway, isFetching, fetchAgain } = usePhoto(photo);
  const label = t('photo', { number });
  const remove = reportId !== null && <RemovePhoto reportId={reportId} photoId={photo.id} number={number} />;
  if (photo.state === 'refused')
    return (
      <Stack className="report-photo" gap={6} p="sm" align="flex-start" role="group" aria-label={label}>
        <Text size="xs" c="dimmed">
          {t('photoRefused')}
        </Text>
        {remove}
      </Stack>
    );
  if (photo.state === 'waiting')
    return (
      <div className="report-photo">
        <Text size="xs" c="dimmed" p="sm" role="status">
          {t('photoWaiting')}
        </Text>
      </div>
    );
  if (isAway)
    return (
      <Stack className="report-photo" role="alert" gap={6} p="sm" align="flex-start">
        <Text size="xs" c="dimmed">
          {t('photoAway', { number })}
        </Text>
        <Button size="compact-xs" variant="default" loading={isFetching} onClick={fetchAgain}>
          {t('tryAgain', { ns: 'common' })}
        </Button>
        {remove}
      </Stack>
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
        <Group justify="space-between" mt="sm">
          <Text size="sm" c="dimmed">
            {photo.addedBy !== null && (
              <>
                {t('photoOf')} <Person id={photo.addedBy} />
              </>
            )}
          </Text>
          {remove}
        </Group>
      </Modal>
    </>
  );
}
