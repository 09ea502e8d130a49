/** Query parameters and bodies of cursor lists. */
import { z } from 'zod';
import { refusal, ruled, ruledIssue } from '../shared/field-errors.ts';
import { decodeId, idPattern, type IdPrefix, isUuid } from '../shared/ids.ts';
import type { Page, PageRequest } from '../shared/page.ts';

/** What a cursor says which list gave it: in another one it would be a place somewhere, most often behind the end. */
export type ListName =
  | 'api-keys'
  | 'audit-log'
  | 'barcode-jobs'
  | 'batches'
  | 'bulk-jobs'
  | 'consignment-units'
  | 'consignments'
  | 'counterfeit-reports'
  | 'deliveries'
  | 'events'
  | 'invitations'
  | 'people'
  | 'product-units'
  | 'products'
  | 'recalls'
  | 'recoveries'
  | 'request-errors'
  | 'risk-cases'
  | 'risk-simulations'
  | 'scan-exports'
  | 'scans'
  | 'unit-exports'
  | 'users'
  | 'webhook-endpoints';

const encodeCursor = (list: ListName, id: string): string =>
  Buffer.from(`${list} ${id}`, 'latin1').toString('base64url');

/** The id alone is what releases before this one gave: somebody may be between two pages. */
const cursorOf = (list: ListName) =>
  z
    .string()
    .max(120)
    .transform((text, context): string => {
      const [last = '', name, ...more] = Buffer.from(text, 'base64url')
        .toString('latin1')
        .split(' ')
        .reverse();
      if (isUuid(last) && (name === undefined || name === list) && more.length === 0) return last;
      context.addIssue(ruledIssue(refusal('NOT_A_CURSOR', 'is not a cursor that this list gave')));
      return z.NEVER;
    })
    .meta({ description: '`nextCursor` of the page before, of the same list; opaque' });

/** `?limit=&cursor=` with further filters. */
export const listQuery = <Shape extends z.ZodRawShape>(list: ListName, filters: Shape) =>
  z.strictObject({
    limit: z.coerce.number().int().min(1).max(200).default(50).meta({ description: 'Rows of a page' }),
    cursor: cursorOf(list).optional(),
    ...filters,
  });

/** Text that a list is searched by. @param what it is looked for in, for the reference */
export const searchField = (what: string, example: string, max = 100) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .optional()
    .meta({ description: `${what}; upper and lower case alike`, examples: [example] });

/** A filter or body field that names another resource; becomes its UUID. */
export const idField = (prefix: IdPrefix) =>
  z
    .string()
    .max(64)
    .transform((text, context): string => {
      const uuid = decodeId(prefix, text);
      if (uuid === null) {
        // A choice that somebody did not make.
        const wrong =
          text === ''
            ? refusal('EMPTY', 'must not be empty')
            : refusal('NOT_AN_ID', `is not an id of the form ${prefix}_…`, { prefix });
        context.addIssue(ruledIssue(wrong));
        return z.NEVER;
      }
      return uuid;
    })
    .meta({ description: `An id of the form \`${prefix}_…\``, pattern: idPattern(prefix) });

/** Of a body that gives something to somebody: whom the caller saw to have it. */
export const expectedAssignee = () =>
  idField('user').nullable().optional().meta({
    description:
      'Who had it when it was read: with it, nothing changes where it is with somebody else by now (CONFLICT)',
  });

export const pageRequest = (query: { limit: number; cursor?: string | undefined }): PageRequest => ({
  limit: query.limit,
  beforeId: query.cursor ?? null,
});

/** The body of a list. @param list as its query names it */
export function listBody<Row, Shown>(
  list: ListName,
  page: Page<Row>,
  present: (row: Row) => Shown,
): { data: Shown[]; nextCursor: string | null } {
  return {
    data: page.rows.map(present),
    nextCursor: page.nextBeforeId === null ? null : encodeCursor(list, page.nextBeforeId),
  };
}

/** A page of rows; `Product` gives the component `ProductList`. */
export function listOf(item: z.ZodType) {
  const list = z.object({ data: z.array(item), nextCursor: z.string().nullable() });
  const name = item.meta()?.id;
  return name === undefined ? list : list.meta({ id: `${name}List`, description: 'A page, newest first' });
}

const hasFourDigits = (text: string): boolean => /^\d{4}-/.test(new Date(text).toISOString());

/** An instant in a response: ISO 8601, UTC. */
export const instant = z.iso.datetime().meta({ description: 'ISO 8601, UTC' });

/**
 * `+0000`, which is ISO 8601 as well and what `strftime` makes of `%z`, as `+00:00`; and where the plus of an offset came as the
 * space that it stands for in a query, as the plus that was meant.
 */
const withOffset = (given: string): string =>
  given.replace(/(T\S*) (\d\d:?\d\d)$/, '$1+$2').replace(/(T.*[+-]\d\d)(\d\d)$/, '$1:$2');

/**
 * An instant in a request. Where it is none (`abort`) nothing that compares it is asked: what it is compared with may be right.
 * An offset may carry it out of the years that four digits name, in which answers could not tell it.
 */
export const moment = z
  .string()
  .overwrite(withOffset)
  .check(z.iso.datetime({ offset: true, abort: true }))
  .refine(hasFourDigits, {
    ...ruled(refusal('NOT_A_TIME', 'lies beyond the years 0000 to 9999 in UTC')),
    abort: true,
  })
  .transform((text) => new Date(text))
  .meta({ override: { type: 'string', format: 'date-time' } });

/** For `refine`: a span that ends before it begins is a mistake, and no span with nothing in it. */
export const isForward = ({ from, to }: { from?: Date | undefined; to?: Date | undefined }): boolean =>
  from === undefined || to === undefined || from < to;
export const FORWARD = {
  path: ['to'],
  ...ruled(refusal('ENDS_BEFORE_START', 'must be after from', { start: 'from', end: 'to' })),
};
