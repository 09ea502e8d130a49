import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import type { FigureTable } from '../../components/figure.tsx';
import { PlaceName } from '../../components/place-names.ts';
import { useFilters } from '../../components/use-filters.ts';
import type { Shown } from '../../components/world-map.tsx';
import { useFormats } from '../../i18n/format.ts';
import { countOf, POINTS, RESULTS } from './results.ts';
import { daysInAddress, type Span } from './span.ts';

export type Place = Schemas['ScanMap']['data'][number];
export type Cell = Place & { cell: NonNullable<Place['cell']> };

/** Of a cell of one degree. */
export const middleOf = ({ cell }: Cell) => ({ lat: cell.south + 0.5, lon: cell.west + 0.5 });

/** A cell is in sight where a part of it is. */
const isShown = ({ cell }: Cell, shown: Shown): boolean =>
  [0, 0.5, 1].some((up) =>
    [0, 0.5, 1].some((right) => shown.holds({ lat: cell.south + up, lon: cell.west + right })),
  );

/** As many as somebody reads; who wants the others zooms in. */
const MOST_ROWS = 200;

/** What is wrong is always told, what else there is where there is any. */
const columnsOf = (places: readonly Place[]): string[] =>
  RESULTS.map(({ result }) => result).filter(
    (result) =>
      POINTS.some((point) => point.result === result) ||
      (result !== 'genuine' && places.some(({ byResult }) => countOf(byResult, result) > 0)),
  );

/**
 * What the map shows, as text: from afar its countries and its points, from near the cells of the part that it shows. So a reader
 * finds by the keyboard whatever the pointer finds.
 */
export function usePlaceTables(
  span: Span,
): (shown: Shown, countries: readonly Place[], cells: readonly Cell[]) => readonly FigureTable[] {
  const { t } = useTranslation('overview');
  const formats = useFormats();
  const [{ productId }] = useFilters();
  const nameOf = (code: string | null | undefined) =>
    code ? (
      <Anchor
        component={Link}
        to="/scans"
        search={{ ...daysInAddress(span), country: code, productId, isInternal: 'false' } as never}
      >
        {formats.country(code)}
      </Anchor>
    ) : (
      t('map.nowhere')
    );
  const figuresOf = ({ scans, byResult }: Place, results: readonly string[]) =>
    [scans, ...results.map((result) => countOf(byResult, result))].map((count) => formats.number(count));
  const cellTable = (caption: string, found: readonly Cell[]): FigureTable => {
    const rows = found.toSorted((a, b) => b.scans - a.scans).slice(0, MOST_ROWS);
    const results = columnsOf(rows);
    return {
      caption: rows.length < found.length ? `${caption} ${t('map.most', { count: rows.length })}` : caption,
      headers: [t('map.place'), t('figures.scans'), ...results.map((result) => t(`results.${result}`))],
      rows: rows.map((place) => [
        <PlaceName key="place" spot={middleOf(place)} />,
        ...figuresOf(place, results),
      ]),
    };
  };
  return (shown, countries, cells) => {
    const here = cells.filter((place) => isShown(place, shown));
    if (shown.isClose && cells.length > 0) return [cellTable(t('map.cells'), here)];
    const wrong = here.filter(({ byResult }) => POINTS.some(({ result }) => countOf(byResult, result) > 0));
    const results = columnsOf(countries);
    const byCountry: FigureTable = {
      headers: [t('map.country'), t('figures.scans'), ...results.map((result) => t(`results.${result}`))],
      rows: countries.map((place) => [nameOf(place.country), ...figuresOf(place, results)]),
    };
    return wrong.length === 0 ? [byCountry] : [byCountry, cellTable(t('map.wrong'), wrong)];
  };
}
