import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import type { Column } from '../../components/data-table.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { JobStatus, isOpen } from './job-status.tsx';
import { SYMBOLOGIES } from './symbologies.ts';

type Job = Schemas['BarcodeJob'];

/** @param of whose jobs they are: a batch's own screen need not name it. */
export function useJobColumns(of: 'everything' | 'batch'): Column<Job>[] {
  const { t } = useTranslation('minting');
  const formats = useFormats();
  const batch: Column<Job>[] = [
    { id: 'product', header: t('product'), cell: (job) => job.productName },
    {
      id: 'lot',
      header: t('lot'),
      cell: (job) => (job.lot === null ? '–' : <span className="mono">{job.lot}</span>),
    },
  ];
  return [
    ...(of === 'everything' ? batch : []),
    { id: 'symbology', header: t('symbology'), cell: (job) => SYMBOLOGIES[job.symbology].name },
    {
      id: 'formats',
      header: t('formats'),
      cell: (job) => job.formats.map((format) => format.toUpperCase()).join(', '),
    },
    { id: 'status', header: t('state'), cell: (job) => <JobStatus status={job.status} /> },
    {
      id: 'units',
      header: t('units'),
      cell: (job) =>
        isOpen(job)
          ? t('doneOf', formats.progress(job.progress.done, job.progress.total))
          : formats.number(job.progress.done),
      align: 'end',
    },
    { id: 'created', header: t('created'), cell: (job) => <Time at={job.createdAt} />, align: 'end' },
  ];
}
