import { Anchor, Paper, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useMay } from '../../auth/me.ts';
import { Loaded } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { TONES } from '../../components/world-map.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { countOf } from './results.ts';
import { daysInAddress, type Span } from './span.ts';

type Summary = Schemas['AnalyticsSummary'];

interface Figure {
  id: string;
  value: string;
  note: string;
  color?: string;
  isOfScans?: boolean;
}

interface FiguresProps {
  span: Span;
  summary: UseQueryResult<Summary>;
  /** From the first day: units of an earlier time are scanned in this one. */
  toDate: UseQueryResult<Schemas['Funnel']>;
}

/** The span at a glance. */
export function Figures({ span, summary, toDate }: FiguresProps) {
  const skeleton = <Tiles span={span} figures={null} />;
  return (
    <Loaded query={summary} skeleton={skeleton}>
      {(data) => (
        <Loaded query={toDate} skeleton={skeleton}>
          {(units) => (
            <Tiles
              span={span}
              figures={{ ...data, toDate: units }}
              isStale={summary.isPlaceholderData || toDate.isPlaceholderData}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

type Known = Summary & { toDate: Schemas['Funnel'] };

const IDS = ['scans', 'suspicious', 'diverted', 'activation', 'scanRate'] as const;

interface TilesProps {
  span: Span;
  figures: Known | null;
  isStale?: boolean;
}

function Tiles({ span, figures: data, isStale = false }: TilesProps) {
  const { t } = useTranslation('overview');
  const figures = useFigures(data);
  return (
    <dl
      className="tiles"
      aria-label={t('figures.label')}
      aria-busy={isStale}
      data-stale={isStale || undefined}
    >
      {IDS.map((id) => {
        const figure = figures?.find((one) => one.id === id);
        return (
          <Paper key={id} p="md">
            <Text component="dt" size="sm" c="dimmed">
              {figure?.color !== undefined && (
                <span className="legend-mark tile-mark" style={{ background: figure.color }} aria-hidden />
              )}
              {t(`figures.${id}`)}
            </Text>
            <dd className="tile-value num">
              {figure === undefined ? (
                <Skeleton height={26} width={80} my={4} />
              ) : (
                <Value span={span} {...figure} />
              )}
            </dd>
            <Text component="dd" m={0} size="xs" c="dimmed">
              {figure === undefined ? <Skeleton height={12} width={110} my={3} /> : figure.note}
            </Text>
          </Paper>
        );
      })}
    </dl>
  );
}

/** A number of scans leads to them. */
function Value({ span, id, value, isOfScans = false }: Figure & { span: Span }) {
  const { t } = useTranslation('overview');
  const mayRead = useMay('scans.read');
  const [{ productId }] = useFilters();
  if (!isOfScans || !mayRead) return value;
  // What the figures do not count is not among what they lead to.
  const search = {
    ...daysInAddress(span),
    productId,
    result: id === 'scans' ? undefined : id,
    isInternal: 'false',
  };
  return (
    <Anchor
      component={Link}
      to="/scans"
      search={search as never}
      inherit
      c="inherit"
      aria-label={`${t(`figures.${id}`)}: ${value}`}
    >
      {value}
    </Anchor>
  );
}

function useFigures(data: Known | null): Figure[] | null {
  const { t } = useTranslation('overview');
  const { number, percent } = useFormats();
  if (data === null) return null;
  const { scans, byResult, units, toDate } = data;
  const share = (result: string) => ({
    id: result,
    isOfScans: true,
    value: number(countOf(byResult, result)),
    note:
      scans === 0
        ? t('figures.noScans')
        : t('figures.ofScans', { share: percent(countOf(byResult, result) / scans) }),
  });
  const rate = (part: number, whole: number) => (whole === 0 ? '–' : percent(Math.min(1, part / whole)));
  return [
    {
      id: 'scans',
      isOfScans: true,
      value: number(scans),
      note: t('figures.firstScanned', { count: units.firstScanned }),
    },
    { ...share('suspicious'), color: TONES.bad },
    { ...share('diverted'), color: TONES.warning },
    {
      id: 'activation',
      value: rate(toDate.activated, toDate.minted),
      note: t('figures.activated', { activated: number(toDate.activated), minted: number(toDate.minted) }),
    },
    {
      id: 'scanRate',
      value: rate(toDate.firstScanned, toDate.activated),
      note: t('figures.scanned', {
        scanned: number(toDate.firstScanned),
        activated: number(toDate.activated),
      }),
    },
  ];
}
