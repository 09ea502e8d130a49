import { Anchor, Group, Paper, Table, Text, Title } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LooseOptions } from '../api/client.ts';
import { useApi } from '../api/use-api.ts';
import type { Column, ListPath, RowOf } from './data-table.tsx';
import { opens } from './row-link.ts';
import { Loaded, LoadingRows } from './states.tsx';

interface RelatedListProps<P extends ListPath> {
  title: string;
  path: P;
  query: Record<string, string | undefined>;
  columns: readonly Column<RowOf<P>>[];
  linkTo: (row: RowOf<P>) => string;
  /** One line instead of rows. */
  empty: ReactNode;
  /** The whole list. */
  more: { label: string; to: string; search: Record<string, string> };
  rows?: number;
  refreshMs?: number;
}

/** The newest few of what belongs to the thing on the screen, and the way to all of them. */
export function RelatedList<P extends ListPath>(props: RelatedListProps<P>) {
  const { title, path, query, columns, linkTo, empty, more, rows = 5, refreshMs } = props;
  const navigate = useNavigate();
  const options = { query: { ...query, limit: rows } } as LooseOptions;
  const list = useApi(path, options as never, refreshMs === undefined ? {} : { refetchInterval: refreshMs });
  const isEmpty = (list.data as { data: RowOf<P>[] } | undefined)?.data.length === 0;
  return (
    <Paper component="section" aria-label={title} style={{ overflow: 'hidden' }}>
      <Group justify="space-between" px="md" pt="sm" pb={4}>
        <Title order={2}>{title}</Title>
        {!isEmpty && (
          <Anchor component={Link} to={more.to} search={more.search as never} size="sm">
            <Group gap={2} component="span">
              {more.label}
              <IconChevronRight size={14} className="mirrored" aria-hidden />
            </Group>
          </Anchor>
        )}
      </Group>
      <Loaded query={list} skeleton={<LoadingRows rows={3} height={20} />}>
        {(answer) => {
          const { data } = answer as { data: RowOf<P>[] };
          if (isEmpty)
            return (
              <Text size="sm" c="dimmed" px="md" pb="md" component="div">
                {empty}
              </Text>
            );
          return (
            <Table className="data-table" aria-label={title}>
              <Table.Thead>
                <Table.Tr>
                  {columns.map(({ id, header, align = 'start' }) => (
                    <Table.Th key={id} scope="col" ta={align}>
                      {header}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.map((row) => (
                  <Table.Tr key={linkTo(row)} {...opens(() => void navigate({ to: linkTo(row) }), true)}>
                    {columns.map(({ id, header, cell, align = 'start' }, index) => (
                      <Table.Td
                        key={id}
                        data-label={header}
                        ta={align}
                        {...(align === 'end' ? { className: 'num' } : {})}
                      >
                        {index === 0 ? (
                          <Link to={linkTo(row)} style={{ color: 'inherit', fontWeight: 550 }}>
                            {cell(row)}
                          </Link>
                        ) : (
                          cell(row)
                        )}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          );
        }}
      </Loaded>
    </Paper>
  );
}
