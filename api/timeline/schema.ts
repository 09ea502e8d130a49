import { z } from 'zod';
import { refusal, ruledIssue } from '../../shared/field-errors.ts';
import { ALL_CLOSING_REASONS } from '../../shared/risk-cases/states.ts';
import { encodeNullableId, type IdPrefix } from '../../shared/ids.ts';
import { NFC_TAP_OUTCOMES } from '../../shared/nfc/outcome.ts';
import { SCAN_RESULTS } from '../../shared/scans/verdict.ts';
import { ENTRY_TYPES, type EntryPlace, type EntryRow } from '../../shared/timeline/service.ts';
import { channelField, isInternalField } from '../fields.ts';
import { instant } from '../list.ts';

const entryCursor = z
  .string()
  .max(120)
  .transform((text, context): EntryPlace => {
    const [, milliseconds, key] =
      /^(\d{1,15}) ([a-l]-[0-9a-f-]{36})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
    const at = new Date(Number(milliseconds));
    if (key !== undefined && at.getUTCFullYear() < 10_000) return { at, key };
    context.addIssue(ruledIssue(refusal('NOT_A_CURSOR', 'is not a cursor that this list gave')));
    return z.NEVER;
  })
  .meta({ description: '`nextCursor` of the page before; opaque' });

export const encodeCursor = (place: EntryPlace | null): string | null =>
  place === null ? null : Buffer.from(`${place.at.getTime()} ${place.key}`).toString('base64url');

export const timelineQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50).meta({ description: 'Rows of a page' }),
  cursor: entryCursor.optional(),
  type: z.enum(ENTRY_TYPES).optional().meta({ description: 'Only entries of this type' }),
});

/** `recall_lifted` becomes `RecallLiftedEntry`. */
const nameOf = (type: string): string =>
  `${type.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())}Entry`;

const entry = <Type extends string, Shape extends z.ZodRawShape>(type: Type, fields: Shape) =>
  z.object({ type: z.literal(type), at: instant, ...fields }).meta({ id: nameOf(type) });

const consignment = {
  consignmentId: z.string(),
  reference: z.string().nullable(),
  destination: z.string().nullable(),
};
const scope = z.enum(['unit', 'batch', 'consignment', 'product']);

export const timelineEntrySchema = z
  .discriminatedUnion('type', [
    entry('minted', { batchId: z.string(), serial: z.string() }),
    entry('activated', {}),
    entry('suspended', {}),
    entry('reactivated', {}),
    entry('voided', {}),
    entry('consumed', {}),
    entry('shipped', consignment),
    entry('received', { ...consignment, condition: z.enum(['missing', 'damaged']).nullable() }),
    entry('shipment_cancelled', consignment),
    entry('recalled', { recallId: z.string(), scope, reason: z.string().nullable() }),
    entry('recall_lifted', { recallId: z.string(), scope }),
    entry('scanned', {
      scanId: z.string(),
      result: z.enum(SCAN_RESULTS),
      country: z.string().nullable(),
      lat: z.number().nullable(),
      lon: z.number().nullable(),
      accuracyKm: z.number().nullable(),
      riskLevel: z.enum(['none', 'low', 'medium', 'high']),
      riskScore: z.number().int(),
      signals: z.array(z.string()).meta({ description: 'Types; the evidence is with the scan' }),
      isInternal: isInternalField,
      nfcTap: z.enum(NFC_TAP_OUTCOMES).nullable().meta({
        description:
          'Of the tap of the package’s NFC tag that came with it, the best of several; null where none came',
      }),
    }),
    entry('hidden_code_entered', {
      scanId: z.string().nullable().meta({ description: 'Null once the scan is no longer kept' }),
      isCorrect: z.boolean().meta({ description: 'Whether it was the right one, maybe after wrong ones' }),
      wrongAttempts: z.number().int().meta({ description: 'With that scan' }),
    }),
    entry('flagged', {
      caseId: z.string(),
      signals: z.array(z.string()),
      firstScanId: z.string().nullable(),
      openedBy: z.string().nullable(),
      reportId: z.string().nullable(),
    }),
    entry('decided', {
      caseId: z.string(),
      decision: z.enum(['confirmed', 'dismissed']),
      closingReason: z.enum(ALL_CLOSING_REASONS).nullable(),
    }),
    entry('reported', {
      reportId: z.string(),
      channel: channelField,
      excerpt: z.string(),
      status: z.string(),
    }),
  ])
  .meta({ id: 'TimelineEntry' });

const PREFIXES: Record<string, IdPrefix> = {
  batchId: 'batch',
  consignmentId: 'cons',
  recallId: 'rcl',
  scanId: 'scan',
  firstScanId: 'scan',
  caseId: 'case',
  reportId: 'rep',
};

export const presentEntry = ({ type, at, data }: EntryRow): z.input<typeof timelineEntrySchema> =>
  ({
    type,
    at: at.toISOString(),
    ...Object.fromEntries(
      Object.entries(data).map(([name, value]) => {
        const prefix = PREFIXES[name];
        return [name, prefix === undefined ? value : encodeNullableId(prefix, value as string | null)];
      }),
    ),
  }) as z.input<typeof timelineEntrySchema>;
