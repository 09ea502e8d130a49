import {
  mappedRange,
  MAX_SERIES,
  quartersOf,
  readFunnel,
  readMap,
  readSummary,
  readTimeseries,
} from '../../shared/analytics/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { needs, ok, operation } from '../operation.ts';
import {
  funnelSchema,
  mapQuery,
  mapSchema,
  presentCell,
  presentCountry,
  presentKey,
  presentRange,
  rangeQuery,
  summarySchema,
  timeseriesQuery,
  timeseriesSchema,
} from './schema.ts';

const tag = 'Analytics';
const access = needs('analytics.read');

const rate = (part: number, whole: number): number | null => (whole === 0 ? null : Math.min(1, part / whole));

export const analyticsOperations = [
  operation({
    method: 'get',
    path: '/api/v1/analytics/summary',
    operationId: 'analyticsSummary',
    tag,
    summary: 'Figures of a time range at a glance',
    description: 'Counts final scans; a scan shows some seconds after it was made.',
    access,
    query: rangeQuery,
    responses: { 200: { description: 'The figures', schema: summarySchema } },
    handle: async ({ deps, actor, query }) => {
      const { units, topCountries, topProducts, ...figures } = await readSummary(deps.db, {
        ...query,
        orgId: actor.orgId,
      });
      return ok({
        ...presentRange(quartersOf(query)),
        ...figures,
        topCountries: topCountries.map(presentCountry),
        topProducts: topProducts.map(({ product_id: id, ...rest }) => ({
          productId: encodeId('prod', id),
          ...rest,
        })),
        units: {
          ...units,
          activationRate: rate(units.activated, units.minted),
          scanRate: rate(units.firstScanned, units.activated),
        },
      });
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/analytics/timeseries',
    operationId: 'analyticsTimeseries',
    tag,
    summary: 'Scans over time, by result, product or country',
    description: `By product and by country the ${MAX_SERIES} series with most scans of the range, largest first; the rest together as \`others\`.`,
    access,
    query: timeseriesQuery,
    responses: { 200: { description: 'The series', schema: timeseriesSchema } },
    handle: async ({ db, actor, query }) => {
      const { series, others } = await readTimeseries(db, { ...query, orgId: actor.orgId });
      return ok({
        ...presentRange(quartersOf(query)),
        interval: query.interval,
        timeZone: query.timeZone,
        series: series.map(({ key, points }) => ({
          key: presentKey(query.by, key),
          points,
        })),
        others,
      });
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/analytics/map',
    operationId: 'analyticsMap',
    tag,
    summary: 'Scans by country or by cell of a grid',
    description: 'Cells are kept by the UTC day: each day that the range touches counts as a whole.',
    access,
    query: mapQuery,
    responses: { 200: { description: 'Places with scans, those with most first', schema: mapSchema } },
    handle: async ({ db, actor, query }) => {
      const places = await readMap(db, { ...query, orgId: actor.orgId }, query.by);
      return ok({
        ...presentRange(mappedRange(query, query.by)),
        data: query.by === 'country' ? places.map(presentCountry) : places.map(presentCell),
      });
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/analytics/funnel',
    operationId: 'analyticsFunnel',
    tag,
    summary: 'Units minted, activated and scanned for the first time',
    access,
    query: rangeQuery,
    responses: { 200: { description: 'The counts of the time range', schema: funnelSchema } },
    handle: async ({ db, actor, query }) =>
      ok({
        ...presentRange(quartersOf(query)),
        ...(await readFunnel(db, { ...query, orgId: actor.orgId })),
      }),
  }),
];
