import { Paper, Progress, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useFormats } from '../../i18n/format.ts';
import { Loaded } from '../../components/states.tsx';

type Counts = Schemas['UnitCounts'];

const STATES = ['active', 'minted', 'suspended', 'voided'] as const;
const COLOURS: Record<keyof Counts, string> = {
  active: 'green.7',
  minted: 'gray.5',
  suspended: 'yellow.6',
  voided: 'red.7',
};

interface UnitCountsProps {
  batchId: string;
  query: Parameters<typeof Loaded<Counts>>[0]['query'];
}

/** How many units are in which state, each leading to those units. */
export function UnitCounts({ batchId, query }: UnitCountsProps) {
  const { t } = useTranslation('batches');
  const { t: unitText } = useTranslation('units');
  const formats = useFormats();
  return (
    <Paper p="md" component="section" aria-label={t('unitStates')}>
      <Title order={2} mb="sm">
        {t('unitStates')}
      </Title>
      <Loaded query={query} skeleton={<Skeleton height={86} />}>
        {(counts) => {
          const total = STATES.reduce((sum, state) => sum + counts[state], 0);
          return (
            <>
              <Progress.Root size={10} mb="md" aria-hidden>
                {STATES.map((state) => (
                  <Progress.Section
                    key={state}
                    value={total === 0 ? 0 : (counts[state] / total) * 100}
                    color={COLOURS[state]}
                    withAria={false}
                  />
                ))}
              </Progress.Root>
              <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs">
                {STATES.map((state) => (
                  <Link
                    key={state}
                    to="/units"
                    search={{ batchId, status: state }}
                    className="count-tile"
                    data-count={state}
                  >
                    <Text size="xs" c="dimmed">
                      {unitText(`status.${state}`)}
                    </Text>
                    <Text size="xl" fw={620} className="num">
                      {formats.number(counts[state])}
                    </Text>
                  </Link>
                ))}
              </SimpleGrid>
            </>
          );
        }}
      </Loaded>
    </Paper>
  );
}
