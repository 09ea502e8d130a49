import { Button, Group, Paper, Table, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../api/use-api.ts';
import type { LooseOptions, PathsWith, QueryOf, ResponseOf } from '../api/client.ts';
import { ErrorState, LoadingRows } from './states.tsx';
import { useFilters } from './use-filters.ts';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the end of their column. */
  align?: 'start' | 'end';
  width?: number | string;
}

/** Paths whose GET answers `{data, nextCursor}`. */
export type ListPath = {
  [P in PathsWith<'get'>]: ResponseOf<P> extends { data: unknown[]; nextCursor: string | null } ? P : never;
}[PathsWith<'get'>];

export type RowOf<P extends ListPath> =
  ResponseOf<P> extends { data: (infer Row)[]; nextCursor: string | null } ? Row : never;

interface DataTableProps<P extends ListPath> {
  /** Which list. */
  path: P;
  /** Parameters in the path. */
  params?: Record<string, string>;
  /** Filters; limit and cursor are the table's own. */
  query?: Omit<QueryOf<P>, 'limit' | 'cursor'>;
  columns: readonly Column<RowOf<P>>[];
  /** Where a row leads; its first cell becomes the link, for the keyboard. */
  linkTo?: (row: RowOf<P>) => string;
  /** What it lists, for screen readers. */
  label: string;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
  pageSize?: number;
  /** Ask again every so many ms, for lists that change by themselves. */
  refreshMs?: number;
}

/** A page of a list of any length: pages and filters on the server, by cursor; the page is in the address. */
export function DataTable<P extends ListPath>(props: DataTableProps<P>) {
  const { path, params, query, columns, linkTo, label, empty, pageSize = 25, refreshMs } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [{ cursor }, setFilters] = useFilters();
  // Cursors lead forwards only: the ones that led here are the way back.
  const [trail, setTrail] = useState<(string | undefined)[]>([]);
  const options = { path: params, query: { ...query, limit: pageSize, cursor } } as LooseOptions;
  const list = useApi(path, options as never, refreshMs === undefined ? {} : { refetchInterval: refreshMs });
  const page = list.data as { data: RowOf<P>[]; nextCursor: string | null } | undefined;

  if (page === undefined)
    return (
      <Paper>
        {list.error === null ? (
          <LoadingRows rows={8} height={22} />
        ) : (
          <ErrorState error={list.error} retry={() => void list.refetch()} />
        )}
      </Paper>
    );
  if (page.data.length === 0 && cursor === undefined && !list.isPlaceholderData)
    return <Paper>{empty}</Paper>;

  const goTo = (next: string | undefined) => setFilters({ cursor: next });
  const rowKey = (row: RowOf<P>, index: number) => (row as { id?: string }).id ?? String(index);
  const cells = (row: RowOf<P>) =>
    columns.map(({ id, header, cell, align = 'start' }, index) => (
      <Table.Td key={id} data-label={header} ta={align} {...(align === 'end' ? { className: 'num' } : {})}>
        {index === 0 && linkTo ? (
          <Link to={linkTo(row)} style={{ color: 'inherit', fontWeight: 550 }}>
            {cell(row)}
          </Link>
        ) : (
          cell(row)
        )}
      </Table.Td>
    ));
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <Table.ScrollContainer minWidth={0} type="native">
        <Table
          className="data-table"
          aria-label={label}
          aria-busy={list.isFetching}
          {...(list.isPlaceholderData ? { 'data-stale': true } : {})}
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ id, header, align = 'start', width }) => (
                <Table.Th key={id} scope="col" ta={align} w={width}>
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {page.data.map((row, index) => (
              <Table.Tr
                key={rowKey(row, index)}
                {...(linkTo
                  ? {
                      'data-link': true,
                      onClick: (event: React.MouseEvent) => {
                        // A link or button in the row, or marked text, is not the row.
                        if ((event.target as Element).closest('a,button') || getSelection()?.toString())
                          return;
                        void navigate({ to: linkTo(row) });
                      },
                    }
                  : {})}
              >
                {cells(row)}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {(cursor !== undefined || page.nextCursor !== null) && (
        <Group justify="space-between" p="xs" px="md" component="nav" aria-label={t('pages')}>
          <Text size="xs" c="dimmed">
            {t('pageNumber', { number: trail.length + 1 })}
          </Text>
          <Group gap={6}>
            {cursor !== undefined && trail.length !== 1 && (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconChevronsLeft size={14} className="mirrored" />}
                onClick={() => {
                  setTrail([]);
                  goTo(undefined);
                }}
              >
                {t('firstPage')}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="default"
              disabled={trail.length === 0}
              leftSection={<IconChevronLeft size={14} className="mirrored" />}
              onClick={() => {
                goTo(trail.at(-1));
                setTrail(trail.slice(0, -1));
              }}
            >
              {t('previousPage')}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              disabled={page.nextCursor === null}
              rightSection={<IconChevronRight size={14} className="mirrored" />}
              onClick={() => {
                setTrail([...trail, cursor]);
                goTo(page.nextCursor ?? undefined);
              }}
            >
              {t('nextPage')}
            </Button>
          </Group>
        </Group>
      )}
    </Paper>
  );
}
