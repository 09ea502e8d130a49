import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import type { Column } from '../../components/data-table.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { BatchState } from './batch-state.tsx';

type Batch = Schemas['Batch'];

/** "Olive oil · L-2407", or the product alone. */
export const batchName = ({ productName, lot }: Pick<Batch, 'productName' | 'lot'>): string =>
  lot === null ? productName : `${productName} · ${lot}`;

/** @param of whose batches they are: a product's own screen need not name it. */
export function useBatchColumns(of: 'everything' | 'product'): Column<Batch>[] {
  const { t } = useTranslation('batches');
  const formats = useFormats();
  const lot: Column<Batch> = {
    id: 'lot',
    header: t('lot'),
    cell: (batch) => (batch.lot === null ? t('noLot') : <span className="mono">{batch.lot}</span>),
  };
  const product: Column<Batch> = { id: 'product', header: t('product'), cell: (batch) => batch.productName };
  return [
    ...(of === 'product' ? [lot] : [product, lot]),
    {
      id: 'units',
      header: t('units'),
      cell: ({ mintedCount, quantity }) =>
        mintedCount === quantity
          ? formats.number(quantity)
          : t('mintedOf', { minted: formats.number(mintedCount), quantity: formats.number(quantity) }),
      align: 'end',
    },
    { id: 'state', header: t('state'), cell: (batch) => <BatchState batch={batch} /> },
    {
      id: 'expires',
      header: t('expiresOn'),
      cell: ({ expiresOn }) => (expiresOn === null ? '–' : formats.calendarDay(expiresOn)),
      align: 'end',
    },
    {
      id: 'created',
      header: t('created'),
      cell: ({ createdAt }) => <Time at={createdAt} show="day" />,
      align: 'end',
    },
  ];
}
