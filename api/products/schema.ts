import { z } from 'zod';
import { encodeId } from '../../shared/ids.ts';
import type { ProductChange } from '../../shared/products/import.ts';
import { fieldsOf, type ProductFilter, type ProductRow } from '../../shared/products/service.ts';
import { refusal, ruled, ruledIssue } from '../../shared/field-errors.ts';
import {
  changesSomething,
  expectedField,
  gtinField,
  languageCode,
  marketsField,
  matching,
  text,
  webUrlField,
} from '../fields.ts';
import { instant, listQuery, searchField } from '../list.ts';

const MAX_LINKS = 30;
/** The service answers these itself. */
const OWN_TYPES = ['gs1:defaultLink', 'gs1:defaultLinkMulti', 'gs1:linkset', 'gs1:verificationService'];

const noLinkType = refusal(
  'NOT_A_LINK_TYPE',
  'must be a link type such as gs1:instructions, and none that the service answers itself',
);

const linkDescriptions = {
  linkType: {
    description:
      'Of the GS1 Web Vocabulary; not `gs1:defaultLink` and `gs1:verificationService`, which the service answers itself',
    examples: ['gs1:instructions'],
  },
  title: { description: 'What the link is called on the page' },
  language: { description: 'What it is written in (ISO 639-1); null for every language' },
};

const linkField = z.strictObject({
  linkType: matching(/^gs1:[a-z][A-Za-z0-9]{1,59}$/, noLinkType)
    .refine((type) => !OWN_TYPES.includes(type), ruled(noLinkType))
    .meta(linkDescriptions.linkType),
  url: webUrlField,
  title: text(100).meta(linkDescriptions.title),
  language: languageCode.nullable().default(null).meta(linkDescriptions.language),
});

type Link = z.output<typeof linkField>;

/** Where a type has a link in a language already. */
const repeatedAt = (links: readonly Link[]): number =>
  links.findIndex(({ linkType, language }, index) =>
    links.slice(0, index).some((other) => other.linkType === linkType && other.language === language),
  );

const linksField = z
  .array(linkField)
  .max(MAX_LINKS)
  .superRefine((links, context) => {
    const index = repeatedAt(links);
    if (index === -1) return;
    const repeated = refusal('REPEATED', 'there is a link of this type in this language already');
    context.addIssue({ ...ruledIssue(repeated), path: [index, 'linkType'] });
  })
  .meta({
    description:
      'Pages elsewhere about the product, one of each type and language: GS1 Digital Links with this `linkType` lead to them, linksets list them, and the consumers’ page does',
  });

const fields = {
  name: text(200),
  sku: text(100).meta({ description: 'Unique in the organization' }),
  gtin: gtinField.nullable(),
  brand: text(200).nullable(),
  description: text(5000).nullable(),
  imageUrl: webUrlField.nullable(),
  markets: marketsField,
  attributes: z
    .record(z.string().min(1).max(100), z.unknown())
    .meta({ description: 'Your own values, as you like' }),
  links: linksField,
};

export const createProductBody = z.strictObject({
  ...fields,
  gtin: fields.gtin.default(null),
  brand: fields.brand.default(null),
  description: fields.description.default(null),
  imageUrl: fields.imageUrl.default(null),
  markets: fields.markets.default([]),
  attributes: fields.attributes.default({}),
  links: fields.links.default([]),
});

const linkTexts = {
  linkType: z.string().meta(linkDescriptions.linkType),
  url: z.string().meta({ description: 'http or https' }),
  title: z.string().meta(linkDescriptions.title),
};
const readLanguage = z.string().nullable().meta(linkDescriptions.language);

/** As they were taken, maybe by another rule than today's. */
const readFields = {
  name: z.string(),
  sku: z.string(),
  gtin: z.string().nullable(),
  brand: z.string().nullable(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
  markets: z.array(z.string()),
  attributes: z.record(z.string(), z.unknown()),
  links: z
    .array(z.object({ ...linkTexts, language: readLanguage }))
    .meta({ description: 'Pages elsewhere about the product' }),
};

/** A link may be sent back as it was sent. */
const expectedFields = {
  ...readFields,
  links: z
    .array(z.object({ ...linkTexts, language: readLanguage.default(null) }))
    .meta({ description: 'Pages elsewhere about the product' }),
};

export const updateProductBody = z
  .strictObject({ ...fields, expected: expectedField(expectedFields) })
  .partial()
  .refine(...changesSomething);

/** Of a row of a table: as a change, by the SKU. */
export const importedProductBody = z.strictObject(fields).partial().required({ sku: true });

export const importQuery = z.strictObject({
  dryRun: z.enum(['true', 'false']).default('false').meta({ description: 'Only say what would change' }),
});

/** Changes of an import that are told. */
const MOST_CHANGES = 100;

export const importSchema = z
  .object({
    dryRun: z.boolean().meta({ description: 'Whether this is only what would change' }),
    created: z.number().int().meta({ description: 'Products that are new' }),
    updated: z.number().int().meta({ description: 'Products of which something is changed' }),
    unchanged: z.number().int().meta({ description: 'Products that are as the table says already' }),
    changes: z
      .array(
        z.object({
          row: z.number().int().meta({ description: 'Of the table, from 1, which is the heading of CSV' }),
          id: z.string().nullable().meta({ description: 'null where it is yet to be created' }),
          sku: z.string(),
          name: z.string(),
          change: z.enum(['created', 'updated']).meta({ description: 'What becomes of the product' }),
          fields: z
            .array(z.string())
            .meta({ description: 'Those whose values differ; of a new product those that are not empty' }),
        }),
      )
      .meta({ description: `The first ${MOST_CHANGES} of them, in the order of the table` }),
  })
  .meta({ id: 'ProductImport' });

export const presentImport = (
  { changes, unchanged }: { changes: readonly (ProductChange & { after?: ProductRow })[]; unchanged: number },
  dryRun: boolean,
): z.input<typeof importSchema> => {
  const created = changes.filter(({ before }) => before === null).length;
  return {
    dryRun,
    created,
    updated: changes.length - created,
    unchanged,
    changes: changes.slice(0, MOST_CHANGES).map((one) => {
      const id = (one.after ?? one.before)?.id;
      return {
        row: one.row,
        id: id === undefined ? null : encodeId('prod', id),
        sku: one.fields.sku,
        name: one.fields.name,
        change: one.before === null ? 'created' : 'updated',
        fields: one.changed,
      };
    }),
  };
};

export const listProductsQuery = listQuery('products', {
  sku: z.string().max(100).optional(),
  gtin: gtinField.optional(),
  q: searchField('Part of name, SKU, brand or GTIN', 'olive'),
  archived: z.enum(['true', 'false', 'all']).default('false').meta({ description: '`all` shows both' }),
});

export const filterOf = ({ archived, ...rest }: ProductsQuery): ProductFilter => ({
  ...rest,
  archived: archived === 'all' ? null : archived === 'true',
});

type ProductsQuery = Pick<z.output<typeof listProductsQuery>, 'sku' | 'gtin' | 'q' | 'archived'>;

export const productSchema = z
  .object({
    id: z.string(),
    ...readFields,
    archivedAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Product' });

export const presentProduct = (row: ProductRow): z.input<typeof productSchema> => ({
  id: encodeId('prod', row.id),
  ...fieldsOf(row),
  archivedAt: row.archived_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
