import { Anchor, Grid, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useProductName } from '../../api/unit-names.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { MailAddress } from '../../components/mail-address.tsx';
import { Facts } from '../../components/facts.tsx';
import { Notes } from '../../components/notes.tsx';
import { orTaken } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Person, PersonSelect } from '../../components/people.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { UnitName } from '../../components/unit-name.tsx';
import { useFormats } from '../../i18n/format.ts';
import { OpenCase } from '../cases/open-case.tsx';
import { ReportActions } from './actions.tsx';
import { AddPhotos } from './add-photos.tsx';
import { Identify } from './identify.tsx';
import { ReportPhoto } from './photos.tsx';
import { ReportStatusBadge } from './status.tsx';

type Report = Schemas['CounterfeitReportDetail'];

const PHOTOS_POLL_MS = 1500;
/** Of one report; as the API takes. */
const MAX_PHOTOS = 20;
const DETAIL = '/api/v1/counterfeit-reports/{id}';

const hasWaitingPhoto = (report: Report | undefined): boolean =>
  report?.photos.some(({ state }) => state === 'waiting') ?? false;

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const report = useApi(
    DETAIL,
    { path: { id } },
    // Photos are cleaned by a worker before anybody sees them.
    { refetchInterval: ({ state }) => (hasWaitingPhoto(state.data) ? PHOTOS_POLL_MS : false) },
  );
  return (
    <Loaded query={report} isScreen>
      {(current) => <OneReport report={current} />}
    </Loaded>
  );
}

function OneReport({ report }: { report: Report }) {
  const { t } = useTranslation('reports');
  const mayWrite = useMay('reports.write');
  const product = useProductName(report.productId);
  const { id } = report;
  const change = useChange(
    (body: BodyOf<typeof DETAIL, 'patch'>) => api.patch(DETAIL, { path: { id }, body }),
    // A report that is confirmed may open a case.
    ['/api/v1/counterfeit-reports', '/api/v1/risk-cases', '/api/v1/product-units'],
  );
  const about = product ?? report.brand;
  const title = about === null ? t('reportTitle') : t('reportAbout', { about });
  return (
    <>
      <PageHeader
        title={title}
        badge={<ReportStatusBadge status={report.status} />}
        description={
          report.resolution === null
            ? t('reportLead')
            : t('closedLead', { reason: t(`resolutions.${report.resolution}`) })
        }
        parents={[{ label: t('title'), to: '/reports' }]}
        actions={
          mayWrite && (
            <ReportActions
              report={report}
              change={(body) => change.mutateAsync({ ...body, expectedStatus: report.status })}
            />
          )
        }
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <Paper p="lg">
              <Title order={2} mb="xs">
                {t(report.filedBy === null ? 'said' : 'found')}
              </Title>
              <Text lang={report.language ?? undefined} dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
                {report.description}
              </Text>
              {report.repetitions > 0 && (
                <Text size="xs" c="dimmed" mt="xs">
                  {t('repeated', { count: report.repetitions })}
                </Text>
              )}
              {report.photos.length > 0 && (
                <Group gap="sm" mt="md">
                  {report.photos.map((photo, index) => (
                    <ReportPhoto
                      key={photo.id}
                      photo={photo}
                      number={index + 1}
                      reportId={mayWrite ? id : null}
                    />
                  ))}
                </Group>
              )}
              {mayWrite && report.photos.length < MAX_PHOTOS && <AddPhotos reportId={id} />}
            </Paper>
            <ReportFacts report={report} product={product} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <Paper p="md">
              <PersonSelect
                label={t('assignee')}
                nobody={t('nobody', { ns: 'cases' })}
                disabled={!mayWrite}
                // Not `disabled`, which would take the focus from whoever has just chosen.
                readOnly={change.isPending}
                value={report.assigneeId}
                onChange={(assigneeId) =>
                  orTaken(change.mutateAsync({ assigneeId, expectedAssigneeId: report.assigneeId }))
                }
              />
            </Paper>
            <Related report={report}>
              {mayWrite && <Identify report={report} change={change.mutateAsync} />}
            </Related>
            <Notes
              key={id}
              notes={report.notes.map((note) => ({ ...note, at: note.createdAt }))}
              onAdd={mayWrite ? (note) => change.mutateAsync({ note }) : undefined}
            />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function ReportFacts({ report, product }: { report: Report; product: string | null | undefined }) {
  const { t } = useTranslation('reports');
  const formats = useFormats();
  const { contact, productUnitId, productId } = report;
  return (
    <Paper p="md" className="facts-narrow">
      <Facts
        facts={[
          { label: t('filed'), value: <Time at={report.createdAt} /> },
          ...(report.filedBy === null
            ? []
            : [
                { label: t('channel'), value: t(`channels.${report.channel}`) },
                { label: t('filedBy'), value: <Person id={report.filedBy} /> },
                { label: t('foundOn'), value: report.foundOn && formats.calendarDay(report.foundOn) },
              ]),
          {
            label: t(report.filedBy === null ? 'purchasedFrom' : 'place'),
            value: report.purchasedFrom && <bdi>{report.purchasedFrom}</bdi>,
          },
          { label: t('price'), value: report.price && <bdi>{report.price}</bdi> },
          {
            label: t('country', { ns: 'scans' }),
            value: report.country && formats.country(report.country),
          },
          {
            label: t('unit', { ns: 'scans' }),
            value:
              productUnitId !== null && productId !== null ? (
                <UnitName unitId={productUnitId} productId={productId} isLink />
              ) : report.code ? (
                <bdi className="mono as-written">{report.code}</bdi>
              ) : (
                t('withoutCode')
              ),
          },
          ...(productUnitId === null ? [{ label: t('product'), value: product }] : []),
          ...(report.identifiedBy === null
            ? []
            : [{ label: t('identifiedBy'), value: <Person id={report.identifiedBy} /> }]),
          { label: t('lot'), value: report.lot },
          { label: t('brand'), value: report.brand },
          {
            label: t('contact'),
            value:
              contact !== null ? (
                <>
                  {contact.name}
                  {contact.name !== null && contact.email !== null && ', '}
                  {contact.email !== null && (
                    <Anchor href={`mailto:${contact.email}`}>
                      <MailAddress address={contact.email} />
                    </Anchor>
                  )}
                </>
              ) : (
                report.contactErasedAt !== null && t('contactErased')
              ),
          },
          { label: t('id', { ns: 'scans' }), value: <ShortId id={report.id} /> },
        ]}
      />
    </Paper>
  );
}

/** What else is known of the reported unit: the reporter's scan, its other scans, its cases. */
function Related({ report, children }: { report: Report; children: ReactNode }) {
  const { t } = useTranslation('reports');
  const { scanId, productUnitId, riskCases } = report;
  const mayDecide = useMay('scans.write');
  const isConfirmed = riskCases.some(({ status }) => status === 'confirmed');
  const isOpen = riskCases.some(({ status }) => status === 'open' || status === 'investigating');
  if (productUnitId === null)
    return (
      <Paper p="md">
        <Title order={2} mb="xs">
          {t('related')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('relatedNone')}
        </Text>
        <Group mt="sm">{children}</Group>
      </Paper>
    );
  return (
    <Paper p="md">
      <Title order={2} mb="xs">
        {t('related')}
      </Title>
      <List size="sm" spacing={6}>
        {scanId !== null && (
          <List.Item>
            <Anchor component={Link} to={`/scans/${scanId}`} inherit>
              {t('reportersScan')}
            </Anchor>
          </List.Item>
        )}
        <List.Item>
          <Anchor component={Link} to="/scans" search={{ unitId: productUnitId } as never} inherit>
            {t('unitsScans', { ns: 'scans' })}
          </Anchor>
        </List.Item>
        {riskCases.map((riskCase) => (
          <List.Item key={riskCase.id}>
            <Anchor component={Link} to={`/cases/${riskCase.id}`} inherit underline="always">
              {t('caseOf')} <Time at={riskCase.openedAt} show="day" />
            </Anchor>
            {' · '}
            {t(`statuses.${riskCase.status}`, { ns: 'cases' })}
          </List.Item>
        ))}
      </List>
      <Group gap="xs" mt="sm">
        {mayDecide && (
          <OpenCase
            unitId={productUnitId}
            reportId={report.id}
            state={isConfirmed ? 'confirmed' : isOpen ? 'open' : 'none'}
            size="xs"
          />
        )}
        {children}
      </Group>
    </Paper>
  );
}
