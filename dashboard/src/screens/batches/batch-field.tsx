import { useApi } from '../../api/use-api.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { RemoteSelect, type RemoteSelectProps } from '../../components/remote-select.tsx';
import { batchName } from './columns.tsx';

const optionOf = (batch: Schemas['Batch']) => ({ value: batch.id, label: batchName(batch) });

function useFound(search: string | undefined) {
  const list = useApi('/api/v1/batches', { query: { q: search, limit: 20 } });
  return { options: list.data?.data.map(optionOf), isFetching: list.isFetching };
}

/** A batch, found by its lot or its product; the value is its id. */
export function BatchField(props: RemoteSelectProps) {
  const { value = '' } = props;
  const batch = useApi('/api/v1/batches/{id}', { path: { id: value } }, { enabled: value !== '' });
  const chosen = value === '' || batch.data?.id !== value ? undefined : optionOf(batch.data);
  return <RemoteSelect {...props} useFound={useFound} chosen={chosen} />;
}
