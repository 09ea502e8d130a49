import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useUnit } from '../../api/unit-names.ts';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { UnitName } from '../../components/unit-name.tsx';
import { isFocusFree } from '../../components/use-focus-return.ts';
import type { Formats } from '../../i18n/create-formats.ts';
import { useFormats } from '../../i18n/format.ts';
import { useFieldNames } from './ranges.ts';
import { isWithout, Running, useRunning } from './running.tsx';

const SAMPLES = 10;

type Result = NonNullable<Schemas['RiskSimulation']['result']>;

/**
 * What a changed policy would have found in the last weeks; only then can it be saved.
 * @param props.onStopped it was cancelled, and has no result
 * @param props.begin the button that begins another one
 */
export function Simulation({
  id,
  onStopped,
  begin,
  onSave,
  isSaving,
  error,
  isStale,
}: {
  id: string;
  onStopped: () => void;
  begin: RefObject<HTMLButtonElement | null>;
  onSave: () => void;
  isSaving: boolean;
  error: Error | null;
  /** Somebody else has saved the policy since. */
  isStale: boolean;
}) {
  const { t } = useTranslation('risk-policy');
  const formats = useFormats();
  const nameOf = useFieldNames();
  const { simulation, stop } = useRunning(id, onStopped, begin);
  // The button that began it is disabled until the rules are others.
  const heading = useRef<HTMLHeadingElement>(null);
  const section = useRef<HTMLElement>(null);
  const isFound = (simulation.data?.result ?? null) !== null;
  // The button stays where it is while one scrolls through the rules; what it began stands at their end.
  useEffect(() => {
    if (!isFocusFree() && document.activeElement !== heading.current) return;
    heading.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: isFound ? 'start' : 'nearest' });
  }, [isFound]);
  return (
    <Paper ref={section} p="md" mt="md" component="section" aria-label={t('simulation.title')}>
      <Title ref={heading} order={2} tabIndex={-1}>
        {t('simulation.title')}
      </Title>
      <Loaded query={simulation}>
        {({ status, progress, result }) => (
          <Stack gap="md" mt="xs">
            {!isWithout(status) && (
              // One and the same, so that the end is told as the way there is.
              <Text size={result === null ? 'sm' : 'md'} role="status">
                {result === null
                  ? t('simulation.progress', formats.progress(progress.done, progress.total))
                  : summaryOf(result, t, formats)}
              </Text>
            )}
            {result === null && !isWithout(status) && (
              <Running progress={progress} label={t('simulation.title')} stop={stop} />
            )}
            {isWithout(status) && <Text size="sm">{t('simulation.failed')}</Text>}
            {result !== null && <Outcome result={result} />}
            {error !== null && <ErrorAlert error={error} nameOf={nameOf} />}
            {(result !== null || isWithout(status)) && (
              <Group justify="flex-end" gap="sm">
                <Text size="sm" c="dimmed">
                  {t('simulation.fromNow')}
                </Text>
                <Button loading={isSaving} disabled={isStale} onClick={onSave}>
                  {t('save')}
                </Button>
              </Group>
            )}
          </Stack>
        )}
      </Loaded>
    </Paper>
  );
}

/** The lists end at a hundred units, and know of no diversion. */
const isTheSame = ({ newly, noLonger }: Result): boolean =>
  [newly, noLonger].every((counts) => Object.values(counts).every((count) => count === 0));

function summaryOf(result: Result, t: TFunction<'risk-policy'>, formats: Formats): string {
  const changeOf = (units: 'suspiciousUnits' | 'divertedUnits') => ({
    newly: formats.number(result.newly[units]),
    noLonger: formats.number(result.noLonger[units]),
  });
  const looked = t('simulation.looked', { scans: formats.number(result.scans), count: result.units });
  const found = isTheSame(result)
    ? t('simulation.same')
    : `${t('simulation.differs', changeOf('suspiciousUnits'))} ${t('simulation.differsDiverted', changeOf('divertedUnits'))}`;
  return `${looked} ${found}`;
}

function Outcome({ result }: { result: Result }) {
  const { t } = useTranslation('risk-policy');
  const formats = useFormats();
  const { simulated, recorded, newly, noLonger } = result;
  const rows = ['suspiciousUnits', 'suspiciousScans', 'divertedUnits', 'divertedScans'] as const;
  return (
    <Stack gap="md">
      <Table className="simulation-table" aria-label={t('simulation.title')} maw={620}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th scope="col" ta="end">
              {t('simulation.recorded')}
            </Table.Th>
            <Table.Th scope="col" ta="end">
              {t('simulation.simulated')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={450}>
                {t(`simulation.${name}`)}
              </Table.Th>
              <Table.Td ta="end" className="num">
                {formats.number(recorded[name])}
              </Table.Td>
              <Table.Td ta="end" className="num" fw={600}>
                {formats.number(simulated[name])}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {!isTheSame(result) && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <Samples title={t('simulation.newly')} ids={result.newlySuspicious} count={newly.suspiciousUnits} />
          <Samples
            title={t('simulation.noLonger')}
            ids={result.noLongerSuspicious}
            count={noLonger.suspiciousUnits}
          />
        </SimpleGrid>
      )}
    </Stack>
  );
}

/** @param count of all; `ids` are the first of them */
function Samples({ title, ids, count }: { title: string; ids: readonly string[]; count: number }) {
  const { t } = useTranslation('risk-policy');
  return (
    <div>
      <Title order={3} mb={4}>
        {title}
      </Title>
      {ids.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('simulation.noUnit')}
        </Text>
      ) : (
        <Stack gap={4}>
          {ids.slice(0, SAMPLES).map((id) => (
            <Sample key={id} id={id} />
          ))}
          {count > SAMPLES && (
            <Text size="xs" c="dimmed">
              {t('simulation.more', { count: count - SAMPLES })}
            </Text>
          )}
        </Stack>
      )}
    </div>
  );
}

/** A unit that would be judged otherwise, with the way to its scans. */
function Sample({ id }: { id: string }) {
  const unit = useUnit(id);
  return (
    <Anchor component={Link} to="/scans" search={{ unitId: id } as never} size="sm">
      {unit ? <UnitName unitId={id} productId={unit.productId} /> : id}
    </Anchor>
  );
}
