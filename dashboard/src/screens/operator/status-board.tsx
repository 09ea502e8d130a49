import { Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { Status } from './credentials.ts';

/** Work that waits longer than this has nobody who does it, or too few. */
const LATE_SECONDS = 60;
const COUNTS = ['waiting', 'active', 'delayed', 'failed'] as const;

/** @param isOld the service answers no more: how it was then is no word on how it is. */
export function StatusBoard({ status, isOld }: { status: Status; isOld: boolean }) {
  return (
    <Stack>
      <Health status={status} isOld={isOld} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Queues status={status} />
        <Stack>
          <OldestDue status={status} />
          <Processes status={status} />
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

function Part({
  name,
  tone,
  label,
  isOld,
  children,
}: {
  name: string;
  tone: Tone;
  label: string;
  isOld: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation('operator');
  return (
    <Paper p="md">
      <Text size="xs" c="dimmed" mb={4}>
        {name}
      </Text>
      <StatusBadge tone={isOld ? 'neutral' : tone} label={isOld ? t('unknown') : label} />
      <Text size="xs" c="dimmed" mt={6} component="div">
        {children}
      </Text>
    </Paper>
  );
}

function Health({ status, isOld }: { status: Status; isOld: boolean }) {
  const { t } = useTranslation('operator');
  const { postgres, redis, processes, sweeper } = status;
  const answers = (part: { version: string | null; ms: number } | null) =>
    part === null ? t('unreachable') : t('answersIn', { version: part.version ?? '', ms: part.ms });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <Part
        isOld={isOld}
        name="PostgreSQL"
        tone={postgres === null ? 'bad' : 'good'}
        label={t(postgres === null ? 'down' : 'up')}
      >
        {answers(postgres)}
      </Part>
      <Part
        isOld={isOld}
        name="Redis"
        tone={redis === null ? 'bad' : 'good'}
        label={t(redis === null ? 'down' : 'up')}
      >
        {answers(redis)}
      </Part>
      <Part
        isOld={isOld}
        name={t('sweeper')}
        tone={sweeper.isLate ? 'warning' : 'good'}
        label={t(sweeper.isLate ? 'late' : 'onTime')}
      >
        {sweeper.last === null ? (
          t('neverSwept', { seconds: sweeper.everySeconds })
        ) : (
          <>
            {t('swept', { seconds: sweeper.everySeconds })}{' '}
            <Time at={sweeper.last.at} show="ago" isFocusable />
          </>
        )}
      </Part>
      <Part
        isOld={isOld}
        name={t('processes')}
        tone={processes === null ? 'warning' : 'good'}
        label={processes === null ? t('unknown') : t('alive', { count: processes.length })}
      >
        {t('version', { version: status.version })}
      </Part>
    </SimpleGrid>
  );
}

function Queues({ status }: { status: Status }) {
  const { t } = useTranslation('operator');
  const formats = useFormats();
  return (
    <Paper p="lg">
      <Title order={2} mb="xs">
        {t('queues')}
      </Title>
      {status.queues === null ? (
        <Text size="sm">{t('queuesAway')}</Text>
      ) : (
        <Table.ScrollContainer minWidth={310} type="native" tabIndex={0}>
          <Table aria-label={t('queues')} className="compact" horizontalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('queue')}</Table.Th>
                {COUNTS.map((count) => (
                  <Table.Th key={count} scope="col" ta="end">
                    {t(`counts.${count}`)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {status.queues.map((queue) => (
                <Table.Tr key={queue.name}>
                  <Table.Th scope="row" fw={450}>
                    <span className="mono">{queue.name}</span>
                  </Table.Th>
                  {COUNTS.map((count) => (
                    <Table.Td
                      key={count}
                      ta="end"
                      className="num"
                      {...(count === 'failed' && queue.failed > 0
                        ? { c: 'var(--mantine-color-error)', fw: 650 }
                        : {})}
                    >
                      {formats.number(queue[count])}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}

function OldestDue({ status }: { status: Status }) {
  const { t } = useTranslation('operator');
  return (
    <Paper p="lg">
      <Title order={2}>{t('oldestDue')}</Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('oldestDueLead')}
      </Text>
      {status.oldestDue === null ? (
        <Text size="sm">{t('databaseAway')}</Text>
      ) : (
        <Table aria-label={t('oldestDue')} horizontalSpacing="xs">
          <Table.Tbody>
            {Object.entries(status.oldestDue).map(([kind, due]) => (
              <Table.Tr key={kind}>
                <Table.Th scope="row" fw={450}>
                  {t(`kinds.${kind}`)}
                </Table.Th>
                <Table.Td ta="end">
                  {due === null ? (
                    <StatusBadge tone="good" label={t('nothingWaits')} />
                  ) : (
                    <StatusBadge
                      tone={due.seconds > LATE_SECONDS ? 'warning' : 'info'}
                      label={t('waitsSeconds', { count: due.seconds })}
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}

function Processes({ status }: { status: Status }) {
  const { t } = useTranslation('operator');
  return (
    <Paper p="lg">
      <Title order={2} mb="xs">
        {t('processes')}
      </Title>
      {status.processes === null || status.processes.length === 0 ? (
        <Text size="sm">{t('processesAway')}</Text>
      ) : (
        <Table aria-label={t('processes')} horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('process')}</Table.Th>
              <Table.Th scope="col">{t('since')}</Table.Th>
              <Table.Th scope="col" ta="end">
                {t('seen')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {status.processes.map(({ process, startedAt, lastSeenAt }) => (
              <Table.Tr key={process + startedAt}>
                <Table.Th scope="row" fw={450}>
                  <span className="mono">{process}</span>
                </Table.Th>
                <Table.Td>
                  <Time at={startedAt} show="ago" isFocusable />
                </Table.Td>
                <Table.Td ta="end">
                  <Time at={lastSeenAt} show="ago" isFocusable />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
