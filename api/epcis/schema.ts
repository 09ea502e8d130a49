import { z } from 'zod';
import { refusal, ruled, ruledIssue } from '../../shared/field-errors.ts';
import { isUuid, LAST_UUID } from '../../shared/ids.ts';
import { KINDS, kindsOfSteps, type Kind, type Position } from '../../shared/epcis/service.ts';
import { shownAs } from '../fields.ts';
import { moment } from '../list.ts';

const tokenOf = (kind: Kind, at: number, id: string): string =>
  Buffer.from(`${kind} ${at} ${id}`, 'latin1').toString('base64url');

export const tokenFor = ({ kind, at, id }: Position): string => tokenOf(kind, at.getTime(), id);

const pageToken = z
  .string()
  .max(128)
  .transform((text, context): Position => {
    const [kind, at, id] = Buffer.from(text, 'base64url').toString('latin1').split(' ');
    const isKind = (KINDS as readonly string[]).includes(kind ?? '');
    if (isKind && /^\d{1,15}$/.test(at ?? '') && isUuid(id ?? '') && id !== LAST_UUID)
      return { kind: kind as Kind, at: new Date(Number(at)), id: id! };
    context.addIssue(ruledIssue(refusal('NOT_A_CURSOR', 'is not a token that this list gave')));
    return z.NEVER;
  })
  .meta({ description: '`nextPageToken` of the page before, from its `Link` header; opaque' });

const several = (text: string): string[] => text.split(/[|,]/).map((each) => each.trim());

const eventsQuery = z.strictObject({
  perPage: z.coerce.number().int().min(1).max(200).default(30).meta({ description: 'Events of a page' }),
  nextPageToken: pageToken.optional(),
  GE_eventTime: moment.optional().meta({ description: 'At or after' }),
  LT_eventTime: moment.optional().meta({ description: 'Before' }),
  eventType: z
    .string()
    .max(200)
    .transform(several)
    .optional()
    .meta({
      description: 'One or several, by comma or `|`; all events here are of the type `ObjectEvent`',
      override: { type: 'string' },
    }),
  EQ_bizStep: z
    .string()
    .max(500)
    .transform((text) => kindsOfSteps(several(text)))
    .optional()
    .meta({
      description:
        '`commissioning`, `decommissioning`, `shipping`, `receiving`, `void_shipping` (a consignment that was called off under way), `inspecting` (a scan), `holding` (a recall), `other` (a recall that was lifted); one or several, or their URIs in the CBV',
      override: { type: 'string' },
    }),
  MATCH_epc: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'The URI of one unit or one consignment, as `epcList` has it' }),
});

/** Whoever reads what is new since the time before may ask for a moment in which nothing can be. */
export const listEventsQuery = eventsQuery.refine(
  ({ GE_eventTime: from, LT_eventTime: to }) => from === undefined || to === undefined || from <= to,
  {
    path: ['LT_eventTime'],
    ...ruled(
      refusal('ENDS_BEFORE_START', 'must not be before GE_eventTime', {
        start: 'GE_eventTime',
        end: 'LT_eventTime',
      }),
    ),
  },
);

const uri = z.string().meta({ format: 'uri' });
const located = z.object({ id: uri });

const eventSchema = z
  .object({
    type: z.literal('ObjectEvent'),
    eventID: uri.meta({ description: 'The same for the same fact, for ever' }),
    eventTime: z.iso.datetime(),
    recordTime: z.iso.datetime(),
    eventTimeZoneOffset: z.string(),
    action: z.enum(['ADD', 'OBSERVE', 'DELETE']),
    bizStep: z.string(),
    disposition: z.string().optional(),
    persistentDisposition: z
      .object({ set: z.array(z.string()).optional(), unset: z.array(z.string()).optional() })
      .optional(),
    epcList: z.array(uri).optional(),
    quantityList: z.array(z.object({ epcClass: uri, quantity: z.number().optional() })).optional(),
    readPoint: located.optional(),
    bizLocation: located.optional(),
    bizTransactionList: z.array(z.object({ type: z.string().optional(), bizTransaction: uri })).optional(),
    sourceList: z.array(z.object({ type: z.string(), source: uri })).optional(),
    destinationList: z.array(z.object({ type: z.string(), destination: uri })).optional(),
    ilmd: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'EpcisEvent' });

export const documentSchema = z
  .object({
    '@context': z.array(
      z
        .union([uri, z.record(z.string(), z.string())])
        .meta(shownAs({ description: 'The address of a context, or prefixes and what they stand for' })),
    ),
    type: z.literal('EPCISDocument'),
    schemaVersion: z.literal('2.0'),
    creationDate: z.iso.datetime(),
    epcisBody: z.object({ eventList: z.array(eventSchema) }),
  })
  .meta({ id: 'EpcisDocument', description: 'GS1 EPCIS 2.0, JSON-LD' });
