import { Table } from '@mantine/core';
import type { FigureTable } from './figure.tsx';

export const DrawnTables = ({ tables }: { tables: readonly FigureTable[] }) =>
  tables.map((table, index) => <DrawnTable key={index} {...table} />);

const DrawnTable = ({ caption, headers, rows }: FigureTable) => (
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
