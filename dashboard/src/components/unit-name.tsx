import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useProductName, useUnit } from '../api/unit-names.ts';
import { ShortId } from './short-id.tsx';

/** Product and serial of a unit; only the serial without `productId`. @param isLink leads to the unit's screen. */
export function UnitName({
  unitId,
  productId,
  isLink = false,
}: {
  unitId: string;
  productId?: string;
  isLink?: boolean;
}) {
  const product = useProductName(productId ?? null);
  const unit = useUnit(unitId);
  if (product === undefined || unit === undefined) return <Skeleton height={14} width={140} my={4} />;
  const serial = unit === null ? <ShortId id={unitId} /> : <span className="mono">{unit.serial}</span>;
  return (
    <span>
      {product !== null && (
        <>
          <bdi>{product}</bdi>{' '}
        </>
      )}
      {isLink ? (
        <Anchor component={Link} to={`/units/${unitId}`} inherit>
          {unit === null ? unitId : <span className="mono">{unit.serial}</span>}
        </Anchor>
      ) : (
        <Text span inherit c="dimmed" dir="ltr">
          {serial}
        </Text>
      )}
    </span>
  );
}

/** A product's name, leading to its screen. */
export function ProductLink({ id }: { id: string }) {
  const name = useProductName(id);
  if (name === undefined) return <Skeleton height={14} width={120} my={4} />;
  return (
    <Anchor component={Link} to={`/products/${id}`} inherit>
      {name ?? id}
    </Anchor>
  );
}
