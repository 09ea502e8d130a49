import { useApi } from '../../api/use-api.ts';
import { RemoteSelect, type RemoteSelectProps } from '../../components/remote-select.tsx';

const optionOf = ({ id, name, sku }: { id: string; name: string; sku: string }) => ({
  value: id,
  label: `${name} · ${sku}`,
});

function useFound(search: string | undefined) {
  const list = useApi('/api/v1/products', { query: { q: search, limit: 20 } });
  return { options: list.data?.data.map(optionOf), isFetching: list.isFetching };
}

/** A product, found by name, SKU, brand or GTIN; the value is its id. */
export function ProductField(props: RemoteSelectProps) {
  const { value = '' } = props;
  const product = useApi('/api/v1/products/{id}', { path: { id: value } }, { enabled: value !== '' });
  const chosen = value === '' || product.data?.id !== value ? undefined : optionOf(product.data);
  return <RemoteSelect {...props} useFound={useFound} chosen={chosen} />;
}
