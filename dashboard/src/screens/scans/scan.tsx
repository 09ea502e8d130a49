import { Anchor, Button, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconBriefcase } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useProductName } from '../../api/unit-names.ts';
import { useApi } from '../../api/use-api.ts';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { usePlaceNames } from '../../components/place-names.ts';
import { ShortId } from '../../components/short-id.tsx';
import { Loaded } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { ProductLink, UnitName } from '../../components/unit-name.tsx';
import { useFormats } from '../../i18n/format.ts';
import { untilFinal } from './assessment.ts';
import { RiskScore, ScanResultBadges } from './badges.tsx';
import { EvidenceMap, EvidenceMapLoading } from './evidence-map.tsx';
import { Evidence } from './evidence.tsx';
import { ScansOfUnit } from './scans-of-unit.tsx';
import { signalsOf } from './signals.ts';

/** As many of the unit's scans as the map shows. */
const SHOWN = 100;

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const scan = useApi(
    '/api/v1/scans/{id}',
    { path: { id } },
    { refetchInterval: ({ state }) => untilFinal(state.data === undefined ? [] : [state.data]) },
  );
  return (
    <Loaded query={scan} isScreen>
      {/* What was found out about it may be a case, and shows among the unit's scans: both are read again then. */}
      {(current) => <Scan key={current.assessment} scan={current} />}
    </Loaded>
  );
}

/** It may be older than the newest of its unit. */
const withScan = (others: readonly Schemas['Scan'][], scan: Schemas['Scan']) =>
  others.some(({ id }) => id === scan.id) ? others : [scan, ...others];

function Scan({ scan }: { scan: Schemas['Scan'] }) {
  const { t } = useTranslation('scans');
  const formats = useFormats();
  const names = usePlaceNames();
  const product = useProductName(scan.productId);
  const { productUnitId: unitId } = scan;
  const scans = useApi('/api/v1/scans', { query: { unitId, limit: SHOWN } }, { refetchOnMount: 'always' });
  const cases = useApi('/api/v1/risk-cases', { query: { unitId, limit: 1 } }, { refetchOnMount: 'always' });
  const where =
    scan.place === null
      ? scan.country && formats.country(scan.country)
      : t('placeWithin', {
          place: names.long({ ...scan.place, country: scan.country }),
          km: formats.kilometres(scan.place.accuracyKm ?? 0),
          context: scan.place.accuracyKm === null ? 'unknown' : undefined,
        });
  const { source = null } = scan.place ?? {};
  // Where the address backs it, it is the place.
  const unbacked = source === 'gps' ? null : scan.claimedPosition;
  const signals = signalsOf(scan);
  const isInDoubt = scan.result === 'genuine' && (scan.risk.level === 'medium' || scan.risk.level === 'high');
  return (
    <>
      <PageHeader
        title={t('scanTitle', { product: product ?? '…', at: formats.instant(scan.at) })}
        badge={
          <>
            <ScanResultBadges scan={scan} />
            {scan.assessment === 'preliminary' && <StatusBadge tone="neutral" label={t('preliminary')} />}
          </>
        }
        description={
          scan.isInternal
            ? t('internalMeans')
            : t(`resultMeans.${isInDoubt ? 'genuineInDoubt' : scan.result}`)
        }
        parents={[{ label: t('title'), to: '/scans' }]}
        actions={
          <Loaded query={cases} isBrief>
            {({ data: [riskCase] }) =>
              riskCase && (
                <Button
                  component={Link}
                  to={`/cases/${riskCase.id}`}
                  leftSection={<IconBriefcase size={16} aria-hidden />}
                >
                  {t('openCase')}
                </Button>
              )
            }
          </Loaded>
        }
      />
      <Grid gap="md">
        {/* No rule has looked at one from a network of one's own, to find anything or nothing. */}
        {!scan.isInternal && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack>
              <Title order={2}>{t(headingOf(scan.result, isInDoubt, signals.length))}</Title>
              <Evidence signals={signals} score={scan.risk.score} />
            </Stack>
          </Grid.Col>
        )}
        <Grid.Col span={{ base: 12, md: scan.isInternal ? 12 : 7 }}>
          <Stack>
            {scans.isPending ? (
              <EvidenceMapLoading />
            ) : (
              // Where the others cannot be read, the list below says so.
              <EvidenceMap scans={withScan(scans.data?.data ?? [], scan)} selectedId={scan.id} />
            )}
            <Paper p="md" className="facts-narrow">
              <Facts
                facts={[
                  { label: t('risk'), value: <RiskScore {...scan.risk} /> },
                  { label: t('at'), value: <Time at={scan.at} /> },
                  { label: t('place'), value: where },
                  { label: t('source'), value: source && t(`sources.${source}`, { defaultValue: source }) },
                  ...(unbacked === null
                    ? []
                    : [
                        {
                          label: t('claimed'),
                          value: t('claimedUnbacked', { place: names.long({ ...unbacked, country: null }) }),
                        },
                      ]),
                  { label: t('product'), value: <ProductLink id={scan.productId} /> },
                  {
                    label: t('unit'),
                    value: <UnitName unitId={unitId} productId={scan.productId} isLink />,
                  },
                  { label: t('id'), value: <ShortId id={scan.id} /> },
                ]}
              />
            </Paper>
          </Stack>
        </Grid.Col>
      </Grid>
      <Group justify="space-between" mt="lg" mb="xs">
        <Title order={2}>{t('unitsScans')}</Title>
        <Anchor component={Link} to="/scans" search={{ unitId } as never} size="sm">
          {t('seeAll')}
        </Anchor>
      </Group>
      <Loaded query={scans}>
        {({ data }) => (
          <>
            <ScansOfUnit scans={data} currentId={scan.id} />
            {data.length >= SHOWN && (
              <Text size="xs" c="dimmed" mt={4}>
                {t('newestOnly', { shown: SHOWN })}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function headingOf(result: string, isInDoubt: boolean, signals: number): string {
  if (isInDoubt) return 'evidence.noticedInDoubt';
  return result === 'genuine' && signals > 0 ? 'evidence.noticed' : 'evidence.title';
}
