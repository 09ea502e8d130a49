import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FigureTable } from './figure.tsx';

export const DrawnTables = ({ tables }: { tables: readonly FigureTable[] }) =>
  tables.map((table, index) => <DrawnTable key={index} {...table} />);

function DrawnTable({ caption, headers, rows }: FigureTable) {
  const { t } = useTranslation();
  return (
    <Table stickyHeader verticalSpacing={4} fz="sm" captionSide="top">
      {caption !== undefined && <Table.Caption ta="start">{caption}</Table.Caption>}
      <Table.Thead>
        <Table.Tr>
          {headers.map((header, index) => (
            <Table.Th key={header} ta={index === 0 ? 'start' : 'end'}>
              {header}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.length === 0 && (
          <Table.Tr>
            <Table.Td colSpan={headers.length} c="dimmed">
              {t('palette.nothing')}
            </Table.Td>
          </Table.Tr>
        )}
        {rows.map(([first, ...cells], row) => (
          <Table.Tr key={row}>
            <Table.Th scope="row" fw={450}>
              {first}
            </Table.Th>
            {cells.map((cell, index) => (
              <Table.Td key={index} ta="end" className="num">
                {cell}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
