import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { RemoteSelect, useTyped, type RemoteSelectProps } from '../../components/remote-select.tsx';
import { batchName } from './columns.tsx';

const optionOf = (batch: Schemas['Batch']) => ({ value: batch.id, label: batchName(batch) });

/** A batch, found by its lot or its product; the value is its id. */
export function BatchField(props: RemoteSelectProps) {
  const { value = '' } = props;
  const batch = useApi('/api/v1/batches/{id}', { path: { id: value } }, { enabled: value !== '' });
  const chosen = value === '' || batch.data?.id !== value ? undefined : optionOf(batch.data);
  const typed = useTyped(chosen);
  const { data, isFetching } = useApi('/api/v1/batches', { query: { q: typed.search, limit: 20 } });
  return (
    <RemoteSelect
      {...props}
      typed={typed}
      options={data?.data.map(optionOf)}
      isFetching={isFetching}
      chosen={chosen}
    />
  );
}
