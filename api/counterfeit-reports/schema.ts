import { z } from 'zod';
import { refusal, ruled } from '../../shared/field-errors.ts';
import type { NoteRow, ReportRow } from '../../shared/counterfeit-reports/service.ts';
import { ALL_RESOLUTIONS, OWN_CHANNELS, REPORT_STATUSES } from '../../shared/counterfeit-reports/states.ts';
import type { PhotoRow } from '../../shared/counterfeit-reports/photos.ts';
import { encodeId, encodeNullableId } from '../../shared/ids.ts';
import type { CaseRow } from '../../shared/risk-cases/service.ts';
import { CASE_STATUSES } from '../../shared/risk-cases/states.ts';
import { channelField, countryField, dayField, text } from '../fields.ts';
import { expectedAssignee, idField, instant, listQuery, searchField } from '../list.ts';
import { UploadedPhotos } from './intake.ts';

/** A field that a form sends empty where nothing was typed. */
const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullable()
    .default(null)
    .transform((value) => (value === '' ? null : value));

const email = z
  .string()
  .trim()
  .max(254)
  .nullable()
  .default(null)
  .transform((value) => (value === '' ? null : value))
  .refine(
    (value) => value === null || /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(value),
    ruled(refusal('NOT_AN_EMAIL_ADDRESS', 'is not a mail address')),
  );

const uploadedPhotos = (description: string) =>
  z
    .custom<UploadedPhotos>(
      (value) => value instanceof UploadedPhotos,
      ruled(refusal('WRONG_TYPE', 'must be files in multipart/form-data', { expected: 'file' })),
    )
    .meta({ override: { type: 'array', items: { type: 'string', format: 'binary' }, description } });

const fields = {
  description: text(2000).meta({ description: 'What seems wrong' }),
  purchasedFrom: optionalText(500).meta({ description: 'Shop, address or web address' }),
  price: optionalText(50),
  brand: optionalText(200).meta({ description: 'As it stands on the product, for a report without a code' }),
  contactName: optionalText(200),
  contactEmail: email,
  lang: z.string().max(35).default('').meta({ description: 'Language of the answer, for a form' }),
};

/**
 * A report by a program or by the page's form. Whoever fills in the form's field "for questions" agrees to be asked; a
 * program says so with `contactConsent` (the handler insists). One shape for all kinds of body, and JSON first (ADR 135).
 */
export const reportBody = z.strictObject({
  ...fields,
  contactConsent: z.boolean().default(false).meta({
    description:
      'The reporter agrees to be contacted. JSON needs it with contact details; a form that leaves it out says true',
  }),
  website: z.string().default('').meta({ description: 'Leave empty: people do not see it' }),
  photos: uploadedPhotos(
    'In multipart/form-data alone: up to five files, JPEG, PNG or WebP, 8 MB each',
  ).optional(),
});

export const filedSchema = z
  .object({ reportId: z.string(), status: z.literal('open') })
  .meta({ id: 'FiledReport' });

/** A report by the organization's own people or systems. */
export const ownReportBody = z
  .strictObject({
    channel: z.enum(OWN_CHANNELS).meta({ description: 'How it came to be known' }),
    description: fields.description,
    code: text(200).nullable().default(null).meta({
      description:
        'What a scanner reads off its code: a token, an address, a GS1 Digital Link or element string. One that names no unit of the organization is kept as it is',
    }),
    productUnitId: idField('unit')
      .nullable()
      .default(null)
      .meta({ description: 'A unit that is known, in place of `code`' }),
    productId: idField('prod').nullable().default(null).meta({
      description: 'What it is, or imitates, where no unit is named; else that unit’s product or none',
    }),
    brand: optionalText(200).meta({ description: 'As it stands on the product' }),
    purchasedFrom: fields.purchasedFrom.meta({ description: 'Where: shop, address or web address' }),
    price: fields.price,
    country: countryField.nullable().default(null).meta({ description: 'Where it was found' }),
    foundOn: dayField
      .nullable()
      .default(null)
      .meta({ description: 'The day on which it was found or bought, not in the future: YYYY-MM-DD' }),
    contactName: fields.contactName,
    contactEmail: fields.contactEmail.meta({
      description: 'Of whoever told it, if they agree to be asked; erased as a consumer’s is',
    }),
    assigneeId: idField('user').nullable().default(null),
    resolution: z
      .enum(ALL_RESOLUTIONS)
      .nullable()
      .default(null)
      .meta({ description: 'Where it is decided already: the report is closed with it at once' }),
  })
  .refine(
    ({ code, productUnitId }) => code === null || productUnitId === null,
    ruled(
      refusal('AT_MOST_ONE_OF', 'must have at most one of code, productUnitId', {
        fields: ['code', 'productUnitId'],
      }),
    ),
  );

export const addPhotosBody = z.strictObject({
  photos: uploadedPhotos('Up to five files: JPEG, PNG or WebP, 8 MB each').refine(
    (photos) => photos.originals.length > 0,
    ruled(refusal('REQUIRED', 'must have a photo')),
  ),
});

export const listReportsQuery = listQuery('counterfeit-reports', {
  channel: channelField.optional(),
  status: z.enum(REPORT_STATUSES).optional(),
  resolution: z.enum(ALL_RESOLUTIONS).optional(),
  productId: idField('prod').optional(),
  batchId: idField('batch').optional(),
  unitId: idField('unit').optional(),
  assigneeId: idField('user').optional(),
  country: countryField.optional(),
  q: searchField('Part of serial, lot, brand, shop or description', 'market'),
});

export const exportReportsQuery = listReportsQuery.omit({ limit: true, cursor: true });

const noteText = text(5000);

export const changeReportBody = z
  .strictObject({
    status: z.enum(REPORT_STATUSES).optional(),
    resolution: z
      .enum(ALL_RESOLUTIONS)
      .optional()
      .meta({ description: 'Why it is closed; needed for `confirmed` and `dismissed`' }),
    assigneeId: idField('user').nullable().optional(),
    productUnitId: idField('unit').nullable().optional().meta({
      description:
        'The unit, where somebody found out which it is, as by a serial in a photo; null for none after all, which leaves the product. The unit of the code with which a consumer reported stays',
    }),
    productId: idField('prod').nullable().optional().meta({
      description: 'What it is, or imitates; of a report whose unit is known, that unit’s product',
    }),
    note: noteText
      .optional()
      .meta({ description: 'Kept with the change, or not at all where it is refused' }),
    expectedAssigneeId: expectedAssignee(),
    expectedStatus: z.enum(REPORT_STATUSES).optional().meta({
      description:
        'The status that was read: with it, nothing changes where somebody else moved the report since (CONFLICT)',
    }),
  })
  .refine(
    (change) => Object.keys(change).some((name) => !name.startsWith('expected')),
    ruled(refusal('NOTHING_TO_CHANGE', 'must change something')),
  );

export const noteBody = z.strictObject({ text: noteText });

export const reportSchema = z
  .object({
    id: z.string(),
    channel: channelField,
    filedBy: z.string().nullable().meta({
      description: 'Id of the user or the key that filed it; null for a consumer',
    }),
    identifiedBy: z.string().nullable().meta({
      description:
        'Id of the user or the key that said afterwards which unit or product it is; null where nobody did',
    }),
    status: z.enum(REPORT_STATUSES),
    resolution: z.enum(ALL_RESOLUTIONS).nullable(),
    assigneeId: z.string().nullable(),
    productUnitId: z.string().nullable(),
    productId: z.string().nullable(),
    batchId: z.string().nullable(),
    serial: z.string().nullable(),
    lot: z.string().nullable(),
    scanId: z.string().nullable().meta({ description: 'The reporter’s own scan, where it can be told' }),
    scansUrl: z.string().nullable().meta({ description: 'All scans of the unit' }),
    code: z.string().nullable().meta({
      description: 'What the reported address carried; of a report of one’s own, the code as it was given',
    }),
    brand: z.string().nullable(),
    description: z.string(),
    purchasedFrom: z.string().nullable(),
    price: z.string().nullable(),
    language: z.string().nullable(),
    country: z.string().nullable(),
    foundOn: z
      .string()
      .nullable()
      .meta({ description: 'The day on which it was found or bought, YYYY-MM-DD' }),
    contact: z.object({ name: z.string().nullable(), email: z.string().nullable() }).nullable(),
    contactErasedAt: instant.nullable(),
    photoCount: z.number().int(),
    repetitions: z.number().int().meta({ description: 'How often the same was sent again' }),
    createdAt: instant,
    updatedAt: instant,
    closedAt: instant.nullable(),
  })
  .meta({ id: 'CounterfeitReport' });

export const reportDetailSchema = reportSchema
  .extend({
    photos: z.array(
      z.object({
        id: z.string(),
        state: z.enum(['waiting', 'ready', 'refused']),
        url: z
          .string()
          .nullable()
          .meta({ description: 'Works for some minutes; read the report for a new one' }),
        bytes: z.number().int().nullable(),
        width: z.number().int().nullable(),
        height: z.number().int().nullable(),
        problem: z.string().nullable(),
        addedBy: z.string().nullable().meta({
          description: 'Id of the user or the key that added it; null for what the reporter sent',
        }),
      }),
    ),
    notes: z.array(
      z.object({
        id: z.string(),
        author: z.string().meta({ description: 'Id of the user or the key' }),
        text: z.string(),
        createdAt: instant,
      }),
    ),
    riskCases: z
      .array(z.object({ id: z.string(), status: z.enum(CASE_STATUSES), openedAt: instant }))
      .meta({ description: 'Cases of the unit, the newest 20' }),
  })
  .meta({ id: 'CounterfeitReportDetail' });

export const presentReport = (row: ReportRow): z.input<typeof reportSchema> => ({
  id: encodeId('rep', row.id),
  channel: row.channel,
  filedBy: row.filed_by,
  identifiedBy: row.identified_by,
  status: row.status,
  resolution: row.resolution,
  assigneeId: encodeNullableId('user', row.assignee_id),
  productUnitId: encodeNullableId('unit', row.unit_id),
  productId: encodeNullableId('prod', row.product_id),
  batchId: encodeNullableId('batch', row.batch_id),
  serial: row.serial,
  lot: row.lot,
  scanId: encodeNullableId('scan', row.scan_id),
  scansUrl: row.unit_id === null ? null : `/api/v1/scans?unitId=${encodeId('unit', row.unit_id)}`,
  code: row.code,
  brand: row.brand,
  description: row.description,
  purchasedFrom: row.purchased_from,
  price: row.price,
  language: row.language,
  country: row.country,
  foundOn: row.found_on,
  contact:
    row.contact_name === null && row.contact_email === null
      ? null
      : { name: row.contact_name, email: row.contact_email },
  contactErasedAt: row.contact_erased_at?.toISOString() ?? null,
  photoCount: row.photo_count,
  repetitions: row.repetitions,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  closedAt: row.closed_at?.toISOString() ?? null,
});

/** @param urlOf a ready photo's link */
export const presentReportDetail = (
  row: ReportRow,
  photos: readonly PhotoRow[],
  notes: readonly NoteRow[],
  cases: readonly CaseRow[],
  urlOf: (photoId: string) => string,
): z.input<typeof reportDetailSchema> => ({
  ...presentReport(row),
  photos: photos.map((photo) => ({
    id: encodeId('photo', photo.id),
    state: photo.state,
    url: photo.state === 'ready' ? urlOf(encodeId('photo', photo.id)) : null,
    bytes: photo.bytes,
    width: photo.width,
    height: photo.height,
    problem: photo.problem,
    addedBy: photo.added_by,
  })),
  notes: notes.map((note) => ({
    id: encodeId('note', note.id),
    author: note.author,
    text: note.text,
    createdAt: note.created_at.toISOString(),
  })),
  riskCases: cases.map(({ id, status, opened_at: at }) => ({
    id: encodeId('case', id),
    status,
    openedAt: at.toISOString(),
  })),
});
