import { Box, Button, Group, Text } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lazily } from './lazily.tsx';

export interface LegendEntry {
  label: string;
  /** A CSS colour. */
  color: string;
  /** A dot for a point, a square for an area. */
  isDot?: boolean;
}

export interface FigureTable {
  /** What it lists, where there is more than one or not all of it. */
  caption?: string;
  headers: readonly string[];
  /** The first cell names the row. */
  rows: readonly (readonly ReactNode[])[];
}

interface FigureProps {
  /** What it shows. */
  label: string;
  legend: readonly LegendEntry[];
  /** Further words beside the legend. */
  note?: ReactNode;
  /** The same figures for who reads with the keyboard or without eyes, once they ask for them. */
  tables?: () => readonly FigureTable[];
  children: ReactNode;
}

const Drawn = lazily(async () => (await import('./figure-table.tsx')).DrawnTables);

/** A picture of figures: its legend above, and the figures themselves in a table in the same place. */
export function Figure({ label, legend, note, tables, children }: FigureProps) {
  const { t } = useTranslation();
  const [isTable, setTable] = useState(false);
  return (
    <div className="figure">
      <Group justify="space-between" align="center" gap="xs" mb={6} mih={26}>
        <ul className="legend">
          {legend.map((entry) => (
            <li key={entry.label}>
              <span
                className="legend-mark"
                style={{ background: entry.color, borderRadius: entry.isDot === true ? '50%' : 2 }}
                aria-hidden
              />
              {entry.label}
            </li>
          ))}
          {note !== undefined && <li>{note}</li>}
        </ul>
        {tables !== undefined && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-pressed={isTable}
            leftSection={
              isTable ? <IconChartBar size={14} aria-hidden /> : <IconTable size={14} aria-hidden />
            }
            onClick={() => setTable(!isTable)}
          >
            {isTable ? t('figure.picture') : t('figure.table')}
          </Button>
        )}
      </Group>
      <div style={{ position: 'relative' }}>
        <div style={{ visibility: isTable ? 'hidden' : 'visible' }}>{children}</div>
        {isTable && tables !== undefined && (
          <Box className="figure-table" tabIndex={0} role="region" aria-label={label}>
            <Suspense>
              <Drawn tables={tables()} />
            </Suspense>
          </Box>
        )}
      </div>
    </div>
  );
}

/** In the place of a picture that has nothing to show. */
export const NothingToShow = ({ height, children }: { height: number; children: ReactNode }) => (
  <div className="figure-empty" style={{ minHeight: height }}>
    <Text c="dimmed" size="sm" ta="center" component="div" maw={420}>
      {children}
    </Text>
  </div>
);
