import { Anchor, Grid, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useProductName, useUnit } from '../../api/unit-names.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Facts } from '../../components/facts.tsx';
import { Notes } from '../../components/notes.tsx';
import { orTaken } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Person, PersonSelect } from '../../components/people.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { ProductLink, UnitName } from '../../components/unit-name.tsx';
import { useFormats } from '../../i18n/format.ts';
import { EvidenceMap, EvidenceMapLoading } from '../scans/evidence-map.tsx';
import { Evidence } from '../scans/evidence.tsx';
import { ScansOfUnit } from '../scans/scans-of-unit.tsx';
import { knownSignals } from '../scans/signals.ts';
import { Life } from '../units/life.tsx';
import { CaseActions } from './actions.tsx';
import { CaseStatusBadge } from './status.tsx';

/** As many of the unit's scans as the map shows. */
const SHOWN = 200;

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const found = useApi('/api/v1/risk-cases/{id}', { path: { id } });
  return (
    <Loaded query={found} isScreen>
      {(current) => <Case riskCase={current} />}
    </Loaded>
  );
}

function Case({ riskCase }: { riskCase: Schemas['RiskCaseWithNotes'] }) {
  const { t } = useTranslation('cases');
  const mayWrite = useMay('scans.write');
  const { id, productUnitId: unitId, productId } = riskCase;
  const formats = useFormats();
  const product = useProductName(productId);
  const unit = useUnit(unitId);
  const scans = useApi('/api/v1/scans', { query: { unitId, isInternal: 'false', limit: SHOWN } });
  const change = useChange(
    (body: BodyOf<'/api/v1/risk-cases/{id}', 'patch'>) =>
      api.patch('/api/v1/risk-cases/{id}', { path: { id }, body }),
    // A report tells how the cases of its unit stand.
    ['/api/v1/risk-cases', '/api/v1/product-units', '/api/v1/counterfeit-reports'],
  );
  const title = t('caseTitle', { product: product ?? '…', serial: unit?.serial ?? '…' });
  return (
    <>
      <PageHeader
        title={title}
        badge={<CaseStatusBadge status={riskCase.status} />}
        description={
          riskCase.closingReason === null
            ? riskCase.suspiciousScans === 0
              ? t('caseLeadNone')
              : t('caseLead', { count: riskCase.suspiciousScans })
            : t('closedLead', { reason: t(`reasons.${riskCase.closingReason}`) })
        }
        parents={[{ label: t('title'), to: '/cases' }]}
        actions={
          mayWrite && (
            <CaseActions
              riskCase={riskCase}
              change={(body) => change.mutateAsync({ ...body, expectedStatus: riskCase.status })}
            />
          )
        }
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            {riskCase.evidence.length > 0 && (
              <>
                <Title order={2}>{t('evidence.title', { ns: 'scans' })}</Title>
                <Evidence
                  signals={knownSignals(riskCase.evidence)}
                  score={riskCase.suspiciousScans === 1 ? riskCase.maxScore : 0}
                />
              </>
            )}
            <Loaded query={scans} skeleton={<EvidenceMapLoading />}>
              {({ data }) =>
                data.length === 0 ? (
                  <Text size="sm" c="dimmed">
                    {t('noScans', { ns: 'units' })}
                  </Text>
                ) : (
                  <>
                    <EvidenceMap scans={data} />
                    <Group justify="space-between">
                      <Title order={2}>{t('unitsScans', { ns: 'scans' })}</Title>
                      <Anchor component={Link} to="/scans" search={{ unitId } as never} size="sm">
                        {t('seeAll', { ns: 'scans' })}
                      </Anchor>
                    </Group>
                    <ScansOfUnit scans={data} />
                  </>
                )
              }
            </Loaded>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <Paper p="md" className="facts-narrow">
              <Stack gap="md">
                <PersonSelect
                  label={t('assignee')}
                  nobody={t('nobody')}
                  disabled={!mayWrite}
                  // Not `disabled`, which would take the focus from whoever has just chosen.
                  readOnly={change.isPending}
                  value={riskCase.assigneeId}
                  onChange={(assigneeId) =>
                    orTaken(change.mutateAsync({ assigneeId, expectedAssigneeId: riskCase.assigneeId }))
                  }
                />
                <Facts
                  facts={[
                    { label: t('unit'), value: <UnitName unitId={unitId} isLink /> },
                    { label: t('product'), value: <ProductLink id={productId} /> },
                    { label: t('suspiciousScans'), value: formats.number(riskCase.suspiciousScans) },
                    {
                      label: t('maxScore'),
                      value: riskCase.suspiciousScans > 0 && t('ofHundred', { score: riskCase.maxScore }),
                    },
                    { label: t('opened'), value: <Time at={riskCase.openedAt} /> },
                    { label: t('openedBy'), value: <Opener riskCase={riskCase} /> },
                    { label: t('closed'), value: riskCase.closedAt && <Time at={riskCase.closedAt} /> },
                    { label: t('id'), value: <ShortId id={id} /> },
                  ]}
                />
              </Stack>
            </Paper>
            {riskCase.decisions.length > 0 && (
              <Paper p="md">
                <Title order={2} mb="xs">
                  {t('decisions')}
                </Title>
                <List size="sm" spacing={4}>
                  {riskCase.decisions.map(({ decision, closingReason, author, at }) => (
                    <List.Item key={`${at} ${decision} ${closingReason}`}>
                      {t(`statuses.${decision}`)}
                      {': '}
                      {t(`reasons.${closingReason}`)}
                      <Text size="xs" c="dimmed">
                        {author !== null && (
                          <>
                            <Person id={author} />
                            {' · '}
                          </>
                        )}
                        <Time at={at} />
                      </Text>
                    </List.Item>
                  ))}
                </List>
              </Paper>
            )}
            {riskCase.reports.length > 0 && (
              <Paper p="md">
                <Title order={2} mb="xs">
                  {t('reports')}
                </Title>
                <List size="sm" spacing={4}>
                  {riskCase.reports.map((report) => (
                    <List.Item key={report.id}>
                      <Anchor component={Link} to={`/reports/${report.id}`} inherit underline="always">
                        <Time at={report.createdAt} />
                      </Anchor>
                      {' · '}
                      {t(`statuses.${report.status}`, { ns: 'reports' })}
                    </List.Item>
                  ))}
                </List>
              </Paper>
            )}
            <Notes
              key={id}
              notes={riskCase.notes}
              onAdd={mayWrite ? (note) => change.mutateAsync({ note }) : undefined}
            />
            <Life unitId={unitId} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Opener({ riskCase: { openedBy, reportId } }: { riskCase: Schemas['RiskCaseWithNotes'] }) {
  const { t } = useTranslation('cases');
  if (openedBy === null) return t('byScans');
  if (reportId === null) return <Person id={openedBy} />;
  return (
    <>
      <Person id={openedBy} /> ·{' '}
      <Anchor component={Link} to={`/reports/${reportId}`} inherit underline="always">
        {t('forReport')}
      </Anchor>
    </>
  );
}
