import { Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { isFocusFree } from '../../components/use-focus-return.ts';
import type { Formats } from '../../i18n/create-formats.ts';
import { useFormats } from '../../i18n/format.ts';
import type { PolicyInForce } from './policy.ts';
import { isWithout, Running, useBegin, useRunning } from './running.tsx';

/** Cases are decided long after the scans that opened them. */
const DAYS = 365;
/** Thresholds that are shown around the one in force. */
const BELOW = 9;
const ABOVE = 18;
const APART = 3;

type Found = NonNullable<NonNullable<Schemas['RiskSimulation']['result']>['fromDecisions']>;

/**
 * Which threshold people's decisions speak for: how many of the units that were confirmed and dismissed each would have told.
 * @param props.onUse takes a threshold over into the policy that is edited
 */
export function Decisions({ inForce, onUse }: { inForce: PolicyInForce; onUse: (points: number) => void }) {
  const { t } = useTranslation('risk-policy');
  const [asked, setAsked] = useState<string | null>(null);
  const begin = useRef<HTMLButtonElement>(null);
  const ask = useBegin(inForce, DAYS, setAsked);
  return (
    <Paper p="md" mt="md" component="section" aria-label={t('decisions.title')}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={2}>{t('decisions.title')}</Title>
          <Text size="sm" c="dimmed" maw={620}>
            {t('decisions.text')}
          </Text>
        </div>
        {asked === null && (
          <Button
            ref={begin}
            variant="default"
            loading={ask.isPending}
            onClick={() => ask.mutate(inForce.effective)}
          >
            {t('decisions.ask')}
          </Button>
        )}
      </Group>
      {ask.error !== null && <ErrorAlert error={ask.error} />}
      {asked !== null && (
        <Answer
          id={asked}
          inForce={inForce.effective.thresholds.suspicious}
          onStopped={() => setAsked((latest) => (latest === asked ? null : latest))}
          begin={begin}
          onUse={onUse}
        />
      )}
    </Paper>
  );
}

function Answer({
  id,
  inForce,
  onStopped,
  begin,
  onUse,
}: {
  id: string;
  inForce: number;
  onStopped: () => void;
  begin: RefObject<HTMLButtonElement | null>;
  onUse: (points: number) => void;
}) {
  const { t } = useTranslation('risk-policy');
  const formats = useFormats();
  const { simulation, stop } = useRunning(id, onStopped, begin);
  // The button that asked is gone.
  const said = useRef<HTMLParagraphElement>(null);
  const isRead = simulation.data !== undefined;
  useEffect(() => {
    if (isRead && isFocusFree()) said.current?.focus({ preventScroll: true });
  }, [isRead]);
  return (
    <Loaded query={simulation}>
      {({ status, progress, result }) => {
        const found = result?.fromDecisions ?? null;
        // Between two releases a worker of the earlier one may have finished it, which counts no decisions.
        const isNone = isWithout(status) || (result !== null && found === null);
        return (
          <Stack gap="md" mt="xs">
            <Text ref={said} tabIndex={-1} size="sm" role="status">
              {isNone
                ? t('decisions.failed')
                : found === null
                  ? t('simulation.progress', formats.progress(progress.done, progress.total))
                  : summaryOf(found, inForce, t, formats)}
            </Text>
            {found === null && !isNone && (
              <Running progress={progress} label={t('decisions.title')} stop={stop} />
            )}
            {found !== null && found.confirmedUnits + found.dismissedUnits > 0 && (
              <Thresholds found={found} inForce={inForce} />
            )}
            {found !== null && found.suggested !== null && found.suggested !== Math.ceil(inForce) && (
              <Group justify="flex-end">
                <Button variant="default" onClick={() => onUse(found.suggested!)}>
                  {t('decisions.use', { points: formats.number(found.suggested) })}
                </Button>
              </Group>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

function summaryOf(found: Found, inForce: number, t: TFunction<'risk-policy'>, formats: Formats): string {
  const { confirmedUnits, dismissedUnits, suggested } = found;
  if (confirmedUnits + dismissedUnits === 0) return t('decisions.none');
  const decided = t('decisions.decided', {
    confirmed: formats.number(confirmedUnits),
    dismissed: formats.number(dismissedUnits),
  });
  const confirmedAt = (points: number) =>
    formats.number(found.byThreshold[Math.ceil(points) - 1]!.confirmedUnits);
  const points = {
    now: formats.number(inForce),
    points: formats.number(suggested ?? inForce),
    told: confirmedAt(inForce),
    kept: confirmedAt(suggested ?? inForce),
  };
  const said = suggested === null ? unsaid(found, inForce) : comparison(suggested, Math.ceil(inForce));
  return `${decided} ${t(`decisions.${said}`, points)}`;
}

const comparison = (suggested: number, inForce: number) =>
  suggested > inForce ? 'higher' : suggested < inForce ? 'lower' : 'fits';

/** Fewer give no suggestion. */
const MIN_DECISIONS = 30;

function unsaid({ byThreshold }: Found, inForce: number) {
  const { confirmedUnits, dismissedUnits } = byThreshold[Math.ceil(inForce) - 1]!;
  return confirmedUnits + dismissedUnits < MIN_DECISIONS ? 'few' : 'noneFits';
}

/** Some thresholds around the one in force, which is among them, as the suggested one is. */
function Thresholds({ found, inForce }: { found: Found; inForce: number }) {
  const { t } = useTranslation('risk-policy');
  const formats = useFormats();
  const from = Math.ceil(inForce);
  const rows = found.byThreshold.filter(
    ({ suspicious }) =>
      suspicious === found.suggested ||
      (suspicious >= from - BELOW && suspicious <= from + ABOVE && (suspicious - from) % APART === 0),
  );
  return (
    <Table.ScrollContainer minWidth={310} type="native" tabIndex={0}>
      <Table className="compact" horizontalSpacing="xs" aria-label={t('decisions.title')} maw={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('fields.suspicious.label')}</Table.Th>
            {[t('simulation.suspiciousUnits'), t('decisions.confirmed'), t('decisions.dismissed')].map(
              (name) => (
                <Table.Th key={name} scope="col" ta="end">
                  {name}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ suspicious, suspiciousUnits, confirmedUnits, dismissedUnits }) => (
            <Table.Tr key={suspicious}>
              <Table.Th scope="row" fw={450}>
                <Group gap="xs">
                  {formats.number(suspicious)}
                  {suspicious === from && (
                    <Text span size="sm" c="dimmed">
                      {t('decisions.inForce')}
                    </Text>
                  )}
                  {suspicious === found.suggested && suspicious !== from && (
                    <Text span size="sm" fw={650}>
                      {t('decisions.suggested')}
                    </Text>
                  )}
                </Group>
              </Table.Th>
              {[suspiciousUnits, confirmedUnits, dismissedUnits].map((count, index) => (
                <Table.Td key={index} ta="end" className="num">
                  {formats.number(count)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
