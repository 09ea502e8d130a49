import { useApi } from '../../api/use-api.ts';
import { RemoteSelect, useTyped, type RemoteSelectProps } from '../../components/remote-select.tsx';

const optionOf = ({ id, name, sku }: { id: string; name: string; sku: string }) => ({
  value: id,
  label: `${name} · ${sku}`,
});

/** A product, found by name, SKU, brand or GTIN; the value is its id. */
export function ProductField(props: RemoteSelectProps) {
  const { value = '' } = props;
  const product = useApi('/api/v1/products/{id}', { path: { id: value } }, { enabled: value !== '' });
  const chosen = value === '' || product.data?.id !== value ? undefined : optionOf(product.data);
  const typed = useTyped(chosen);
  const { data, isFetching } = useApi('/api/v1/products', { query: { q: typed.search, limit: 20 } });
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
