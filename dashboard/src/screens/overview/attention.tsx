import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core';
import {
  IconAdjustments,
  IconBriefcase,
  IconChecks,
  IconFlag,
  IconPlugConnectedX,
  IconQrcode,
  IconStack2,
  IconPackageOff,
  IconTruck,
  type Icon,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFailureWords } from '../../api/failures.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { EmptyState, Loaded, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';

type Found = Schemas['Attention'];

/** A screen, and the filters that leave what was counted. */
interface Way {
  to: string;
  search?: Record<string, string>;
}

interface Item {
  id: string;
  to: Way;
  text: string;
  note: ReactNode;
}

interface Section {
  id: keyof Found;
  icon: Icon;
  to: Way | null;
  count: number;
  hasMore: boolean;
  items: Item[];
}

type Job = NonNullable<Found['barcodeJobs']>['top'][number];

const SHOWN = 2;
const RENEW_MS = 30_000;

/** For a link. */
const wayTo = ({ to, search }: Way) => ({ to, search: (search ?? {}) as never });

/** Where a job's progress is told: on its own screen, or on that of what it changes. */
function wayToJob({ id, kind, batchId, consignmentId }: Job): Way {
  if (kind === 'barcodes') return { to: `/minting/${id}` };
  if (consignmentId !== null) return { to: `/consignments/${consignmentId}` };
  return { to: batchId === null ? '/units' : `/batches/${batchId}`, search: { bulk: id } };
}

/** What waits for somebody, whatever days and product are chosen: it waits now. */
export function Attention() {
  const { t } = useTranslation('overview');
  const { number } = useFormats();
  const attention = useApi('/api/v1/attention', {}, { refetchInterval: RENEW_MS });
  const sections = useSections(attention.data);
  return (
    <Loaded query={attention} skeleton={<LoadingRows rows={8} />}>
      {() =>
        sections.length === 0 ? (
          <EmptyState icon={IconChecks} title={t('attention.nothing')}>
            {t('attention.nothingText')}
          </EmptyState>
        ) : (
          <Stack gap="sm">
            {sections.map(({ id, icon: Picture, to, count, hasMore, items }) => (
              <div key={id}>
                <Group gap={8} wrap="nowrap">
                  <Picture size={16} stroke={1.7} aria-hidden color="var(--mantine-color-dimmed)" />
                  <Title order={3} fz="sm">
                    {to === null ? (
                      t(`attention.${id}`)
                    ) : (
                      <Anchor component={Link} {...wayTo(to)} inherit c="inherit">
                        {t(`attention.${id}`)}
                      </Anchor>
                    )}
                  </Title>
                  <Badge variant="light" color="gray" size="sm" c="var(--mantine-color-text)">
                    {hasMore ? t('attention.orMore', { number: number(count) }) : number(count)}
                  </Badge>
                </Group>
                <ul className="waiting">
                  {items.slice(0, SHOWN).map((item) => (
                    <li key={item.id}>
                      <Anchor component={Link} {...wayTo(item.to)} size="sm" truncate dir="auto">
                        {item.text}
                      </Anchor>
                      <Text span size="xs" c="dimmed" style={{ flex: 'none' }}>
                        {item.note}
                      </Text>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </Stack>
        )
      }
    </Loaded>
  );
}

/** Those that have something, the most pressing first. */
function useSections(found: Found | undefined): Section[] {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const inWords = useFailureWords();
  if (found === undefined) return [];
  const jobs = (top: readonly Job[]): Item[] =>
    top.map((job) => ({
      id: job.id,
      to: wayToJob(job),
      text: t(`attention.${job.status}`, {
        what: t(`attention.actions.${job.action ?? 'mint'}`),
        why: job.error === null ? '' : inWords(job.error),
        ...formats.progress(job.progress.done, job.progress.total),
      }),
      note: <Time at={job.createdAt} show="ago" />,
    }));
  type Named = Pick<Schemas['Consignment'], 'id' | 'reference' | 'unitCount'> & {
    destination: string | null;
  };
  const itemOf = ({ id, reference, destination, unitCount }: Named): Omit<Item, 'note'> => ({
    id,
    to: { to: `/consignments/${id}` },
    text: [reference, destination].filter(Boolean).join(' · ') || t('attention.units', { count: unitCount }),
  });
  const sections: Omit<Section, 'count' | 'hasMore'>[] = [
    {
      id: 'cases',
      icon: IconBriefcase,
      to: { to: '/cases', search: { status: 'undecided' } },
      items: (found.cases?.top ?? []).map(
        ({ id, productName, serial, maxScore, suspiciousScans, reportId }) => ({
          id,
          to: { to: `/cases/${id}` },
          text: `${productName} · ${serial}`,
          note:
            suspiciousScans > 0
              ? t('attention.score', { score: maxScore })
              : t(reportId === null ? 'attention.byHand' : 'attention.byReport'),
        }),
      ),
    },
    {
      id: 'reports',
      icon: IconFlag,
      to: { to: '/reports', search: { status: 'open' } },
      items: (found.reports?.top ?? []).map(({ id, excerpt, country, createdAt }) => ({
        id,
        to: { to: `/reports/${id}` },
        text:
          country === null ? excerpt : formats.labelled(formats.country(country), `\u2068${excerpt}\u2069`),
        note: <Time at={createdAt} show="ago" />,
      })),
    },
    {
      id: 'endpoints',
      icon: IconPlugConnectedX,
      to: { to: '/developers/webhooks' },
      items: (found.endpoints?.top ?? []).map(({ id, url, description, state }) => ({
        id,
        to: { to: `/developers/webhooks/${id}` },
        text: description ?? new URL(url).host,
        note: t(`attention.states.${state}`),
      })),
    },
    {
      id: 'barcodeJobs',
      icon: IconQrcode,
      to: { to: '/minting', search: { status: 'attention' } },
      items: jobs(found.barcodeJobs?.top ?? []),
    },
    {
      id: 'bulkJobs',
      icon: IconStack2,
      to: null,
      items: jobs(found.bulkJobs?.top ?? []),
    },
    {
      id: 'receipts',
      icon: IconPackageOff,
      to: { to: '/consignments', search: { status: 'discrepant-lately' } },
      items: (found.receipts?.top ?? []).map(({ receivedAt, ...consignment }) => ({
        ...itemOf(consignment),
        note: <Time at={receivedAt} show="ago" />,
      })),
    },
    {
      id: 'consignments',
      icon: IconTruck,
      to: { to: '/consignments', search: { status: 'overdue' } },
      items: (found.consignments?.top ?? []).map(({ dispatchedAt, ...consignment }) => ({
        ...itemOf(consignment),
        note: <Time at={dispatchedAt} show="ago" />,
      })),
    },
    {
      id: 'thresholds',
      icon: IconAdjustments,
      to: { to: '/risk-policy' },
      items: (found.thresholds?.top ?? []).map(({ confirmedCases, dismissedCases }) => ({
        id: 'organization',
        to: { to: '/risk-policy' },
        text: t('attention.another'),
        note: t('attention.decided', {
          decided: formats.number(confirmedCases + dismissedCases),
          dismissed: formats.number(dismissedCases),
        }),
      })),
    },
  ];
  return sections.flatMap((section) => {
    const { count = 0, hasMore = false } = found[section.id] ?? {};
    return count === 0 ? [] : [{ ...section, count, hasMore }];
  });
}
