import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../auth/me.ts';
import { DataTable, type Column, type RowOf } from '../../components/data-table.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { ProductLink } from '../../components/unit-name.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { Consignment } from './status.tsx';

const PATH = '/api/v1/consignments/{id}/units';

/** Products with the number of their units; the service names a dozen, and of more the others are one line. */
export function Products({ consignment: { contents, unitCount } }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  const formats = useFormats();
  const others = contents.reduce((left, { units }) => left - units, unitCount);
  const rows = [
    ...contents.map(({ name, units }, index) => ({ id: index, name: <bdi>{name}</bdi>, units })),
    ...(others > 0 ? [{ id: 'others', name: t('otherProducts'), units: others }] : []),
  ];
  return (
    <ul aria-label={t('contents')} style={{ listStyle: 'none', margin: 0, padding: 0, maxWidth: 420 }}>
      {rows.map(({ id, name, units }) => (
        <Group key={id} component="li" gap="md" justify="space-between" wrap="nowrap" align="baseline" py={3}>
          <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text span size="sm" className="num" style={{ flex: 'none' }}>
            {formats.number(units)}
          </Text>
        </Group>
      ))}
    </ul>
  );
}

/** What is in it: of which products how many, and each unit. */
export function Contents({ consignment }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  const maySeeUnits = useMay('products.read');
  const { missingCount = 0, damagedCount = 0 } = consignment.receipt ?? {};
  const columns: Column<RowOf<typeof PATH>>[] = [
    { id: 'serial', header: t('serial'), cell: (unit) => <span className="mono">{unit.serial}</span> },
    { id: 'product', header: t('product'), cell: (unit) => <ProductLink id={unit.productId} /> },
    {
      id: 'lot',
      header: t('lot'),
      cell: ({ lot }) => (lot === null ? '–' : <span className="mono">{lot}</span>),
    },
    ...(missingCount + damagedCount > 0
      ? [
          {
            id: 'condition',
            header: t('condition'),
            cell: ({ condition }: RowOf<typeof PATH>) =>
              condition === null ? '–' : <StatusBadge tone="warning" label={t(`conditions.${condition}`)} />,
          },
        ]
      : []),
  ];
  return (
    <section aria-label={t('contents')}>
      <Group justify="space-between" align="baseline" mb="sm">
        <Title order={2} size="h3">
          {t('contents')}
        </Title>
        {maySeeUnits && (
          <Anchor component={Link} to="/units" search={{ consignmentId: consignment.id } as never} size="sm">
            {t('asUnits')}
          </Anchor>
        )}
      </Group>
      <Paper p="lg" mb="sm">
        <Products consignment={consignment} />
      </Paper>
      <DataTable
        path={PATH}
        params={{ id: consignment.id }}
        label={t('contents')}
        columns={columns}
        pageSize={10}
        pageName="units"
        linkTo={(unit) => `/units/${unit.id}`}
        // A consignment without units shows no contents at all.
        empty={null}
      />
    </section>
  );
}
