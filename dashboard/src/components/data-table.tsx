import { Button, Group, Paper, Table, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconMapQuestion } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../api/use-api.ts';
import { ApiError } from '../api/errors.ts';
import type { LooseOptions, PathsWith, QueryOf, ResponseOf } from '../api/client.ts';
import { disabledIf } from './disabled-if.ts';
import { opens } from './row-link.ts';
import { EmptyState, Loaded, LoadingRows, type Loadable } from './states.tsx';
import { useHeld } from './use-held.ts';
import { usePaging, type Paging } from './use-paging.ts';

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
  /** What a press on a row opens in place, where its first cell is a button for the same, for the keyboard. */
  onOpen?: (row: RowOf<P>) => void;
  /** What it lists, for screen readers. */
  label: string;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
  pageSize?: number;
  /** Ask again every so many ms, for lists that change by themselves; false for rows that have come to rest. */
  refreshMs?: number | ((rows: readonly RowOf<P>[]) => number | false);
  /** Of its cursor in the address: another for each table of a screen. */
  pageName?: string;
}

interface Page<Row> {
  data: Row[];
  nextCursor: string | null;
}

/** A page of a list of any length: pages and filters on the server, by cursor; the page is in the address. */
export function DataTable<P extends ListPath>(props: DataTableProps<P>) {
  const { path, params, query, empty, pageSize = 25, refreshMs, pageName = 'cursor' } = props;
  const paging = usePaging(pageName);
  const options = {
    path: params,
    query: { ...query, limit: pageSize, cursor: paging.cursor },
  } as LooseOptions;
  const rowsOf = (answer: unknown) => (answer as Page<RowOf<P>> | undefined)?.data ?? [];
  const list = useApi(path, options as never, {
    refetchInterval: ({ state }) =>
      typeof refreshMs === 'function' ? refreshMs(rowsOf(state.data)) : (refreshMs ?? false),
  });
  // What the address asks for is no filter or page of the list: asked again it is refused again.
  if (list.data === undefined && list.error instanceof ApiError && list.error.code === 'VALIDATION_FAILED')
    return <Mistyped />;
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <Loaded
        query={list as unknown as Loadable<Page<RowOf<P>>>}
        skeleton={<LoadingRows rows={8} height={22} />}
      >
        {({ data, nextCursor }) =>
          data.length === 0 && paging.cursor === undefined && !list.isPlaceholderData ? (
            empty
          ) : (
            <>
              <Rows {...props} rows={data} isBusy={list.isFetching} isStale={list.isPlaceholderData} />
              {(paging.cursor !== undefined || nextCursor !== null) && (
                <Pages paging={paging} nextCursor={nextCursor} isStale={list.isPlaceholderData} />
              )}
            </>
          )
        }
      </Loaded>
    </Paper>
  );
}

function Mistyped() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const showAll = () => void navigate({ to: '.', search: {} as never, replace: true });
  return (
    <Paper role="alert">
      <EmptyState
        icon={IconMapQuestion}
        title={t('notFound.title')}
        action={<Button onClick={showAll}>{t('notFound.wholeList')}</Button>}
      >
        {t('notFound.text')}
      </EmptyState>
    </Paper>
  );
}

function Rows<P extends ListPath>({
  rows,
  isBusy,
  isStale,
  columns,
  linkTo,
  onOpen,
  label,
}: DataTableProps<P> & { rows: readonly RowOf<P>[]; isBusy: boolean; isStale: boolean }) {
  const navigate = useNavigate();
  const [shown, hold] = useHeld(rows);
  const rowKey = (row: RowOf<P>, index: number) => (row as { id?: string }).id ?? String(index);
  const open = linkTo ? (row: RowOf<P>) => void navigate({ to: linkTo(row) }) : onOpen;
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
    <Table.ScrollContainer minWidth={0} type="native">
      <Table
        className="data-table"
        aria-label={label}
        aria-busy={isBusy}
        {...(isStale ? { 'data-stale': true } : {})}
        {...hold}
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
          {shown.map((row, index) => (
            <Table.Tr
              key={rowKey(row, index)}
              {...(open ? opens(() => open(row), linkTo !== undefined) : {})}
            >
              {cells(row)}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface PagesProps {
  paging: Paging;
  nextCursor: string | null;
  /** The page before is still on show, whose next one is the one that is awaited. */
  isStale: boolean;
}

function Pages({ paging, nextCursor, isStale }: PagesProps) {
  const { t } = useTranslation();
  const previous = useRef<HTMLButtonElement>(null);
  const { pageNumber, toFirst, toPrevious, toNext } = paging;
  return (
    <Group justify="space-between" p="xs" px="md" component="nav" aria-label={t('pages')}>
      <Text size="xs" c="dimmed" aria-live="polite">
        {pageNumber !== null && t('pageNumber', { number: pageNumber })}
      </Text>
      <Group gap={6}>
        {toFirst !== null && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconChevronsLeft size={14} className="mirrored" />}
            onClick={() => {
              // There is no such button on the first page.
              previous.current?.focus();
              toFirst();
            }}
          >
            {t('firstPage')}
          </Button>
        )}
        <Button
          ref={previous}
          size="compact-sm"
          variant="default"
          {...disabledIf(toPrevious === null)}
          leftSection={<IconChevronLeft size={14} className="mirrored" />}
          onClick={() => toPrevious?.()}
        >
          {t('previousPage')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          {...disabledIf(nextCursor === null)}
          rightSection={<IconChevronRight size={14} className="mirrored" />}
          onClick={() => nextCursor !== null && !isStale && toNext(nextCursor)}
        >
          {t('nextPage')}
        </Button>
      </Group>
    </Group>
  );
}
