import { IconBan, IconLoader2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';

type Job = Schemas['BarcodeJob'];

const LOOKS = {
  queued: { tone: 'neutral' },
  running: { tone: 'info', icon: IconLoader2 },
  completed: { tone: 'good' },
  failed: { tone: 'bad' },
  cancelled: { tone: 'neutral', icon: IconBan },
} as const satisfies Record<Job['status'], { tone: Tone; icon?: unknown }>;

export const isOpen = (job: Pick<Job, 'status'> | undefined): boolean =>
  job?.status === 'queued' || job?.status === 'running';

export function JobStatus({ status }: { status: Job['status'] }) {
  const { t } = useTranslation('minting');
  return <StatusBadge {...LOOKS[status]} label={t(`status.${status}`)} />;
}
