import { Anchor, Button, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/states.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { useFormats } from '../../i18n/format.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { Answer, OutcomeBadge } from './delivery-state.tsx';

type Delivery = Schemas['Delivery'];

const REFRESH_MS = 3_000;
const HOURS = ['1', '24', '168'] as const;
const OUTCOMES = ['delivered', 'failed', 'pending'] as const;

/** To whole minutes, so that the same filter is the same question for a while. */
const since = (hours: string | undefined): string | undefined =>
  hours === undefined
    ? undefined
    : new Date(Math.floor(Date.now() / 60_000) * 60_000 - Number(hours) * 3_600_000).toISOString();

export function Deliveries({ endpointId }: { endpointId: string }) {
  const { t } = useTranslation('developers');
  const formats = useFormats();
  const [asked, setFilters] = useFilters();
  const { eventId } = asked;
  const outcome = OUTCOMES.find((one) => one === asked['outcome']);
  const within = HOURS.find((hours) => hours === asked['within']);
  const [shown, setShown] = useState<Delivery | null>(null);
  const columns: Column<Delivery>[] = [
    {
      id: 'event',
      header: t('deliveries.event'),
      cell: (delivery) => (
        <Anchor
          component="button"
          type="button"
          size="sm"
          className="mono"
          onClick={() => setShown(delivery)}
        >
          {delivery.eventType}
        </Anchor>
      ),
    },
    {
      id: 'outcome',
      header: t('deliveries.outcome'),
      cell: (delivery) => <OutcomeBadge delivery={delivery} />,
    },
    { id: 'answer', header: t('deliveries.answer'), cell: (delivery) => <Answer delivery={delivery} /> },
    {
      id: 'attempt',
      header: t('deliveries.attempt'),
      cell: (delivery) => (delivery.isProbe ? t('deliveries.probe') : formats.number(delivery.attempt)),
      align: 'end',
    },
    {
      id: 'took',
      header: t('deliveries.took'),
      cell: ({ timings }) =>
        typeof timings?.totalMs !== 'number'
          ? '–'
          : t('deliveries.ms', { ms: formats.number(Math.round(timings.totalMs)) }),
      align: 'end',
    },
    {
      id: 'at',
      header: t('deliveries.at'),
      cell: (delivery) => <Time at={delivery.startedAt} />,
      align: 'end',
    },
  ];
  const isFiltered = outcome !== undefined || within !== undefined || eventId !== undefined;
  return (
    <>
      <Group mb="sm" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('deliveries.outcome')}
          value={outcome ?? 'all'}
          onChange={(value) => setFilters({ outcome: value === 'all' ? undefined : value })}
          data={[
            { value: 'all', label: t('all', { ns: 'common' }) },
            ...OUTCOMES.map((value) => ({ value, label: t(`deliveries.outcomes.${value}`) })),
          ]}
        />
        <NativeSelect
          aria-label={t('deliveries.within')}
          value={within ?? ''}
          onChange={(event) => setFilters({ within: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t('deliveries.ever') },
            ...HOURS.map((value) => ({ value, label: t(`deliveries.hours.${value}`) })),
          ]}
        />
        <SearchField
          label={t('deliveries.eventId')}
          value={eventId ?? ''}
          onChange={(text) => setFilters({ eventId: text || undefined })}
        />
      </Group>
      <DataTable
        path="/api/v1/webhook-endpoints/{id}/deliveries"
        params={{ id: endpointId }}
        query={{ outcome, from: since(within), eventId }}
        label={t('deliveries.title')}
        columns={columns}
        onOpen={setShown}
        refreshMs={REFRESH_MS}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconInbox}
              title={t('deliveries.noneFound')}
              action={
                <Button
                  variant="default"
                  onClick={() => setFilters({ outcome: undefined, within: undefined, eventId: undefined })}
                >
                  {t('deliveries.showAll')}
                </Button>
              }
            />
          ) : (
            <EmptyState icon={IconInbox} title={t('deliveries.none')}>
              <Text size="sm">{t('deliveries.noneText')}</Text>
            </EmptyState>
          )
        }
      />
      <DeliveryDrawer delivery={shown} endpointId={endpointId} onClose={() => setShown(null)} />
    </>
  );
}
