import { Anchor, Button, Grid, Paper, Stack, Title } from '@mantine/core';
import { IconMessageReport } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { OpenCase } from '../cases/open-case.tsx';
import { UnitActions } from './actions.tsx';
import { CodeCard } from './code-card.tsx';
import { Life } from './life.tsx';
import { LIFE_REFRESH_MS } from './refresh.ts';
import { ScanMap } from './scan-map.tsx';
import { UnitStatus } from './unit-status.tsx';

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const unit = useApi('/api/v1/product-units/{id}', { path: { id } }, { refetchInterval: LIFE_REFRESH_MS });
  return (
    <Loaded query={unit} isScreen>
      {(current) => <Unit unit={current} />}
    </Loaded>
  );
}

function Unit({ unit }: { unit: Schemas['ProductUnit'] }) {
  const { t } = useTranslation('units');
  const formats = useFormats();
  const mayWrite = useMay('product_units.write');
  const maySeeScans = useMay('scans.read');
  const mayDecide = useMay('scans.write');
  const mayReport = useMay('reports.write');
  const { recall } = unit;
  return (
    <>
      <PageHeader
        title={t('unitTitle', { serial: unit.serial })}
        badge={<UnitStatus unit={unit} />}
        parents={[
          { label: unit.productName, to: `/products/${unit.productId}` },
          { label: unit.lot ?? t('batch'), to: `/batches/${unit.batchId}` },
        ]}
        actions={
          <>
            {mayDecide && (
              <OpenCase
                unitId={unit.id}
                state={unit.risk === 'confirmed' ? 'confirmed' : unit.openCaseId === null ? 'none' : 'open'}
              />
            )}
            {mayReport && (
              <Button
                component={Link}
                to="/reports/new"
                search={{ unitId: unit.id } as never}
                variant="default"
                leftSection={<IconMessageReport size={16} aria-hidden />}
              >
                {t('reportFind')}
              </Button>
            )}
            {mayWrite && <UnitActions unit={unit} />}
          </>
        }
      />
      <Stack>
        <Paper p="lg">
          <Facts
            facts={[
              {
                label: t('product'),
                value: (
                  <Anchor component={Link} to={`/products/${unit.productId}`}>
                    {unit.productName}
                  </Anchor>
                ),
              },
              {
                label: t('lot'),
                value: (
                  <Anchor component={Link} to={`/batches/${unit.batchId}`} className="mono">
                    {unit.lot ?? t('batch')}
                  </Anchor>
                ),
              },
              { label: t('expiresOn'), value: unit.expiresOn && formats.calendarDay(unit.expiresOn) },
              { label: t('activatedAt'), value: unit.activatedAt && <Time at={unit.activatedAt} /> },
              ...(unit.consumedAt === null
                ? []
                : [{ label: t('consumedAt'), value: <Time at={unit.consumedAt} /> }]),
              ...(recall === null
                ? []
                : [
                    { label: t(`recallOf.${recall.of}`), value: <Time at={recall.recalledAt} /> },
                    { label: t('recallReason'), value: recall.reason },
                  ]),
              ...(unit.openCaseId === null
                ? []
                : [
                    {
                      label: t('openCase'),
                      value: (
                        <Anchor component={Link} to={`/cases/${unit.openCaseId}`}>
                          {t('seeCase')}
                        </Anchor>
                      ),
                    },
                  ]),
              { label: t('id'), value: <ShortId id={unit.id} /> },
            ]}
          />
        </Paper>
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Life unitId={unit.id} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack>
              <CodeCard unit={unit} />
              {maySeeScans && (
                <Paper p="md" component="section" aria-label={t('map')}>
                  <Title order={2} mb="sm">
                    {t('map')}
                  </Title>
                  <ScanMap unitId={unit.id} />
                </Paper>
              )}
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  );
}
