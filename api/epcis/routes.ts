import { KINDS, listEvents } from '../../shared/epcis/service.ts';
import { needs, ok, operation } from '../operation.ts';
import { documentSchema, listEventsQuery, tokenFor } from './schema.ts';

const PATH = '/api/v1/epcis/events';

/** The standard's own context; `cbvmda` is among its names. */
const CONTEXT = ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'];

const END_OF_TIME = new Date('9999-01-01T00:00:00Z');

export const epcisOperations = [
  operation({
    method: 'get',
    path: PATH,
    operationId: 'listEpcisEvents',
    tag: 'EPCIS',
    summary: 'Read units, consignments, scans and recalls as EPCIS 2.0 events',
    description:
      'JSON-LD, newest first. Parameters and paging are those of the EPCIS 2.0 query interface: while there is more, the `Link` header has the next page.',
    access: needs('epcis.read'),
    query: listEventsQuery,
    responses: {
      200: {
        description: 'A page of events',
        schema: documentSchema,
        headers: {
          Link: { description: '`<…>; rel="next"`, while there is more' },
          'GS1-EPCIS-Version': { description: '2.0.0' },
        },
      },
    },
    handle: async ({ deps, db, actor, query, req }) => {
      const now = deps.clock.now();
      const hasType = query.eventType === undefined || query.eventType.includes('ObjectEvent');
      const { events, next } = await listEvents(db, {
        publicUrl: deps.config.PUBLIC_URL,
        orgId: actor.orgId,
        from: query.GE_eventTime ?? null,
        to: query.LT_eventTime ?? END_OF_TIME,
        kinds: hasType ? (query.EQ_bizStep ?? KINDS) : [],
        epc: query.MATCH_epc ?? null,
        after: query.nextPageToken ?? null,
        limit: query.perPage,
      });
      return ok(
        {
          '@context': CONTEXT,
          type: 'EPCISDocument',
          schemaVersion: '2.0',
          creationDate: now.toISOString(),
          epcisBody: { eventList: events },
        },
        {
          'GS1-EPCIS-Version': '2.0.0',
          ...(next === null ? {} : { Link: linkTo(req.query as Record<string, string>, tokenFor(next)) }),
        },
      );
    },
  }),
];

function linkTo(query: Record<string, string>, token: string): string {
  const parameters = new URLSearchParams({ ...query, nextPageToken: token });
  return `<${PATH}?${parameters.toString()}>; rel="next"`;
}
