import { Button, Grid, Group, Paper, Stack, Text, Timeline, Title } from '@mantine/core';
import {
  IconAlertOctagon,
  IconBan,
  IconCircleCheck,
  IconFileText,
  IconTruckDelivery,
} from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { Trans, useTranslation } from 'react-i18next';
import { useApi } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Loaded } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Actions } from './actions.tsx';
import { AddUnits } from './add-units.tsx';
import { Contents } from './contents.tsx';
import { Discrepancies } from './discrepancies.tsx';
import { ORDER } from './form-values.ts';
import { NewestJob } from './jobs.tsx';
import { ReceiptLink } from './receipt-link.tsx';
import { RecordReceipt } from './record-receipt.tsx';
import { ConsignmentBadge, leadOf, type Consignment } from './status.tsx';
import { StrayScans } from './stray-scans.tsx';

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const consignment = useApi('/api/v1/consignments/{id}', { path: { id } });
  return (
    <Loaded query={consignment} isScreen>
      {(current) => <Sheet consignment={current} />}
    </Loaded>
  );
}

function Life({ consignment }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  const { status, createdAt, dispatchedAt, cancelledAt, receipt, recall } = consignment;
  const by = receipt?.name;
  const isCancelled = status === 'cancelled';
  const steps = [
    { at: createdAt, title: t('life.created'), icon: IconFileText },
    // What was called off waits for nothing.
    ...(isCancelled && dispatchedAt === null
      ? []
      : [{ at: dispatchedAt, title: t('life.dispatched'), icon: IconTruckDelivery }]),
    isCancelled
      ? { at: cancelledAt, title: t('life.cancelled'), icon: IconBan }
      : {
          at: receipt?.receivedAt ?? null,
          title: by ? t('life.receivedBy', { name: by }) : t('life.received'),
          icon: IconCircleCheck,
        },
    ...(recall === null
      ? []
      : [{ at: recall.recalledAt, title: t('life.recalled'), icon: IconAlertOctagon }]),
  ];
  return (
    <Timeline active={steps.filter(({ at }) => at !== null).length - 1} bulletSize={24} lineWidth={2}>
      {steps.map(({ at, title, icon: Icon }) => (
        <Timeline.Item key={title} title={title} bullet={<Icon size={14} aria-hidden />}>
          <Text size="sm" c="dimmed">
            {at !== null ? <Time at={at} isFocusable /> : isCancelled ? '–' : t('life.waiting')}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function Sheet({ consignment }: { consignment: Consignment }) {
  const { t } = useTranslation('consignments');
  const formats = useFormats();
  const mayWrite = useMay('consignments.write');
  const mayReadScans = useMay('scans.read');
  const { id, status, origin, destination, receipt, recall, unitCount } = consignment;
  const placeOf = ({ address, country }: NonNullable<Consignment['origin']>) =>
    [address, country && formats.country(country)].filter((part) => part !== null);
  return (
    <>
      <PageHeader
        title={consignment.reference ?? consignment.sscc ?? t('unnamed')}
        badge={
          <Group gap={6}>
            <ConsignmentBadge consignment={consignment} />
            {receipt?.hasDiscrepancy && <StatusBadge tone="warning" label={t('discrepancies')} />}
          </Group>
        }
        description={t(`leads.${leadOf(consignment)}`)}
        parents={[{ label: t('title'), to: '/consignments' }]}
        actions={mayWrite && <Actions consignment={consignment} />}
      />
      <Stack gap="md">
        <NewestJob id={id} isDraft={status === 'draft'} />
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Paper p="lg" h="100%">
              <Facts
                facts={[
                  { label: t('units'), value: formats.number(unitCount) },
                  { label: t('receivedCount'), value: receipt && formats.number(receipt.receivedCount) },
                  ...(receipt === null || receipt.counted === null
                    ? []
                    : [{ label: t('counted'), value: formats.number(receipt.counted) }]),
                  { label: t('missing'), value: receipt && formats.number(receipt.missingCount) },
                  { label: t('damaged'), value: receipt && formats.number(receipt.damagedCount) },
                  {
                    label: t('origin'),
                    value: origin && formats.series([origin.name, ...placeOf(origin)]),
                  },
                  { label: t('distributor'), value: destination?.name },
                  { label: t('place'), value: destination && formats.series(placeOf(destination)) },
                  {
                    label: t('expectedMarkets'),
                    value:
                      consignment.expectedMarkets.length === 0
                        ? t('asProduct')
                        : formats.list(consignment.expectedMarkets.map(formats.country)),
                  },
                  {
                    label: t('sscc'),
                    value: consignment.sscc && <span className="mono">{consignment.sscc}</span>,
                  },
                  ...consignment.references.map(({ type, value }) => ({
                    label: type === ORDER ? t('order') : type,
                    value,
                  })),
                  { label: t('id'), value: <ShortId id={id} /> },
                ]}
              />
              {receipt?.note && (
                <Text mt="md" size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                  <Trans t={t} i18nKey="noteQuoted" components={{ text: <bdi>{receipt.note}</bdi> }} />
                </Text>
              )}
              {recall && (
                <Text mt="md" size="sm">
                  {recall.reason === null ? t('recalledText') : t('recalledFor', { reason: recall.reason })}{' '}
                  <Button component={Link} to="/recalls?inForce=true" variant="subtle" size="compact-sm">
                    {t('toRecalls')}
                  </Button>
                </Text>
              )}
            </Paper>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Paper p="lg" h="100%">
              <Title order={2} size="h3" mb="md">
                {t('life.title')}
              </Title>
              <Life consignment={consignment} />
            </Paper>
          </Grid.Col>
        </Grid>
        {status === 'draft' && mayWrite && <AddUnits id={id} />}
        {status === 'dispatched' && mayWrite && (
          <>
            <ReceiptLink consignment={consignment} />
            <RecordReceipt consignment={consignment} />
          </>
        )}
        {receipt?.hasDiscrepancy && <Discrepancies consignment={consignment} />}
        {unitCount > 0 && <Contents consignment={consignment} />}
        {mayReadScans && consignment.dispatchedAt !== null && <StrayScans id={id} />}
      </Stack>
    </>
  );
}
