import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core';
import {
  IconBriefcase,
  IconChecks,
  IconFlag,
  IconPlugConnectedX,
  IconQrcode,
  IconStack2,
  IconTruck,
  type Icon,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { EmptyState, Loaded, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';

type Found = Schemas['Attention'];

interface Item {
  id: string;
  to: string | null;
  text: string;
  note: ReactNode;
}

interface Section {
  id: 'cases' | 'reports' | 'endpoints' | 'barcodeJobs' | 'bulkJobs' | 'consignments';
  icon: Icon;
  to: string | null;
  count: number;
  items: Item[];
}

const SHOWN = 2;
const RENEW_MS = 30_000;

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
            {sections.map(({ id, icon: Picture, to, count, items }) => (
              <div key={id}>
                <Group gap={8} wrap="nowrap">
                  <Picture size={16} stroke={1.7} aria-hidden color="var(--mantine-color-dimmed)" />
                  <Title order={3} fz="sm">
                    {to === null ? (
                      t(`attention.${id}`)
                    ) : (
                      <Anchor component={Link} to={to} inherit c="inherit">
                        {t(`attention.${id}`)}
                      </Anchor>
                    )}
                  </Title>
                  <Badge variant="light" color="gray" size="sm" c="var(--mantine-color-text)">
                    {number(count)}
                  </Badge>
                </Group>
                <ul className="waiting">
                  {items.slice(0, SHOWN).map((item) => (
                    <li key={item.id}>
                      {item.to === null ? (
                        <Text span size="sm" truncate>
                          {item.text}
                        </Text>
                      ) : (
                        <Anchor component={Link} to={item.to} size="sm" truncate>
                          {item.text}
                        </Anchor>
                      )}
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
  if (found === undefined) return [];
  const jobs = (top: NonNullable<Found['barcodeJobs']>['top'], folder: string | null) =>
    top.map(({ id, status, progress, createdAt, action, error }) => ({
      id,
      to: folder === null ? null : `${folder}/${id}`,
      text:
        status === 'failed'
          ? t('attention.failed', { why: error?.message ?? '' })
          : t(`attention.${status}`, {
              what: action ?? '',
              done: formats.number(progress.done),
              total: progress.total === null ? '?' : formats.number(progress.total),
            }),
      note: <Time at={createdAt} show="ago" />,
    }));
  const sections: (Omit<Section, 'count'> & { count: number | undefined })[] = [
    {
      id: 'cases',
      icon: IconBriefcase,
      to: '/cases',
      count: found.cases?.count,
      items: (found.cases?.top ?? []).map(({ id, productName, serial, maxScore }) => ({
        id,
        to: `/cases/${id}`,
        text: `${productName} · ${serial}`,
        note: t('attention.score', { score: maxScore }),
      })),
    },
    {
      id: 'reports',
      icon: IconFlag,
      to: '/reports',
      count: found.reports?.count,
      items: (found.reports?.top ?? []).map(({ id, excerpt, country, createdAt }) => ({
        id,
        to: `/reports/${id}`,
        text: country === null ? excerpt : `${formats.country(country)}: ${excerpt}`,
        note: <Time at={createdAt} show="ago" />,
      })),
    },
    {
      id: 'endpoints',
      icon: IconPlugConnectedX,
      to: '/developers/webhooks',
      count: found.endpoints?.count,
      items: (found.endpoints?.top ?? []).map(({ id, url, description, state }) => ({
        id,
        to: `/developers/webhooks/${id}`,
        text: description ?? new URL(url).host,
        note: t(`attention.states.${state}`),
      })),
    },
    {
      id: 'barcodeJobs',
      icon: IconQrcode,
      to: '/minting',
      count: found.barcodeJobs?.count,
      items: jobs(found.barcodeJobs?.top ?? [], '/minting'),
    },
    {
      id: 'bulkJobs',
      icon: IconStack2,
      to: null,
      count: found.bulkJobs?.count,
      items: jobs(found.bulkJobs?.top ?? [], null),
    },
    {
      id: 'consignments',
      icon: IconTruck,
      to: '/consignments',
      count: found.consignments?.count,
      items: (found.consignments?.top ?? []).map(
        ({ id, reference, destination, unitCount, dispatchedAt }) => ({
          id,
          to: `/consignments/${id}`,
          text:
            [reference, destination].filter(Boolean).join(' · ') ||
            t('attention.units', { count: unitCount, number: formats.number(unitCount) }),
          note: <Time at={dispatchedAt} show="ago" />,
        }),
      ),
    },
  ];
  return sections.flatMap((section) =>
    section.count === undefined || section.count === 0 ? [] : [{ ...section, count: section.count }],
  );
}
