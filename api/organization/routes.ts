import { z } from 'zod';
import { refuseOvertaken } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';
import { given } from '../../shared/given.ts';
import { currentCodeOrigin } from '../../shared/code-hosts/service.ts';
import type { Db } from '../../shared/db.ts';
import { findDomain, type DomainRow } from '../../shared/domains/service.ts';
import { encodeId } from '../../shared/ids.ts';
import {
  changeOrganization,
  getOrganization,
  lockOrganizationFor,
  type OrganizationRow,
} from '../../shared/organizations/service.ts';
import {
  effectiveRetention,
  vetRetention,
  type InstallationRetention,
  type RetentionDays,
} from '../../shared/retention/service.ts';
import { emailField } from '../auth/schema.ts';
import {
  expectedField,
  matching,
  NOTHING_TO_CHANGE,
  shownAs,
  text,
  textsByLanguage,
  timeZoneField,
  webUrlField,
} from '../fields.ts';
import { instant } from '../list.ts';
import type { ApiDeps } from '../deps.ts';
import { ok, operation, session } from '../operation.ts';
import { domainFields, presentDomain } from './domain-schema.ts';

const tag = 'Organization';
const MAX_MESSAGE = 2_000;

export const brandFields = {
  logoUrl: webUrlField.nullable(),
  color: matching(
    /^#[0-9a-fA-F]{6}$/,
    refusal('NOT_A_COLOR', 'must be a colour like #1f2937'),
    z.string().toLowerCase(),
  ).nullable(),
  support: z
    .union([emailField, webUrlField], { error: 'must be an e-mail address or an http or https URL' })
    .meta(shownAs({ type: 'string' }))
    .nullable()
    .meta({ description: 'Where consumers turn to: an e-mail address or a web page' }),
  message: text(MAX_MESSAGE)
    .nullable()
    .meta({ description: 'Plain text for consumers, below each result, whatever language they read' }),
  messages: textsByLanguage(MAX_MESSAGE).meta({
    description:
      'The same for those who read these languages (ISO 639-1), in place of `message`. They take the place of those that are there',
    examples: [{ en: 'Thank you for checking.', de: 'Danke fürs Prüfen.' }],
  }),
};

const retentionFields = {
  scansDays: z
    .number()
    .int()
    .min(30)
    .max(3650)
    .meta({ description: 'How long scans are kept, at most as long as the installation does' }),
  eventsDays: z.number().int().min(7).max(3650).meta({
    description: 'How long events and their deliveries are kept, at most as long as the installation does',
  }),
};

const readBrand = {
  logoUrl: z.string().nullable(),
  color: z.string().nullable(),
  support: z.string().nullable(),
  message: z.string().nullable(),
  messages: z.record(z.string(), z.string()),
};
const readRetention = { scansDays: z.number().int(), eventsDays: z.number().int() };
const readFields = { name: z.string(), timeZone: z.string(), securityContact: z.string().nullable() };

const changeableFields = z
  .strictObject({
    name: text(200),
    brand: z.strictObject(brandFields).partial(),
    timeZone: timeZoneField,
    retention: z.strictObject(retentionFields).partial(),
    securityContact: emailField.nullable().meta({ description: 'Who is told about security, by mail' }),
    expected: expectedField({
      ...readFields,
      brand: z.strictObject(readBrand).partial(),
      retention: z.strictObject(readRetention).partial(),
    }),
  })
  .partial();

/** `{"retention": {}}` changes nothing, either. */
const updateOrganizationBody = changeableFields.refine(
  (body) => Object.keys(changesOf(body)).length > 0,
  NOTHING_TO_CHANGE,
);

const organizationSchema = z
  .object({
    id: z.string(),
    ...readFields,
    brand: z.object(readBrand),
    retention: z.object(readRetention),
    domain: z
      .object(domainFields)
      .nullable()
      .meta({ description: 'By which consumers can tell who it is; null where it has named none' }),
    codesUrl: z.string().meta({
      description:
        'Where codes lead that are made now: the service’s own address, or one of the organization’s',
      examples: ['https://id.example.com'],
    }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Organization' });

const presentRetention = (days: RetentionDays) => ({
  scansDays: days.scan_retention_days,
  eventsDays: days.event_retention_days,
});

const presentSettings = (row: OrganizationRow, config: InstallationRetention) => ({
  name: row.name,
  brand: {
    logoUrl: row.logo_url,
    color: row.brand_color,
    support: row.support,
    message: row.consumer_message,
    messages: row.consumer_messages ?? {},
  },
  timeZone: row.time_zone,
  retention: presentRetention(effectiveRetention(config, row)),
  securityContact: row.security_contact,
});

const presentOrganization = (
  row: OrganizationRow,
  domain: DomainRow | null,
  codesUrl: string,
  config: InstallationRetention,
): z.input<typeof organizationSchema> => ({
  id: encodeId('org', row.id),
  ...presentSettings(row, config),
  domain: domain && presentDomain(domain),
  codesUrl,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

async function present({ config }: ApiDeps, db: Db, row: OrganizationRow) {
  const codesUrl = (await currentCodeOrigin(db, row.id)) ?? config.PUBLIC_URL;
  return ok(presentOrganization(row, await findDomain(db, row.id), codesUrl, config));
}

/** Each verification reads the column, and most organizations have none. */
const storedMessages = <Texts extends object>(messages: Texts | undefined): Texts | null | undefined =>
  messages !== undefined && Object.keys(messages).length === 0 ? null : messages;

/** The columns behind a body; only what was given. */
function changesOf(body: z.output<typeof changeableFields>): Partial<OrganizationRow> {
  return given({
    name: body.name,
    logo_url: body.brand?.logoUrl,
    brand_color: body.brand?.color,
    support: body.brand?.support,
    consumer_message: body.brand?.message,
    consumer_messages: storedMessages(body.brand?.messages),
    time_zone: body.timeZone,
    scan_retention_days: body.retention?.scansDays,
    event_retention_days: body.retention?.eventsDays,
    security_contact: body.securityContact,
  });
}

type Settings = z.output<typeof updateOrganizationBody>['expected'];

/** Each setting by its path, as refusals name it. */
function byPath({ name, timeZone, securityContact, brand = {}, retention = {} }: NonNullable<Settings>) {
  const within = (group: string, fields: object) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [`${group}.${field}`, value as unknown]),
    );
  return {
    ...given({ name, timeZone, securityContact }),
    ...within('brand', brand),
    ...within('retention', retention),
  };
}

export const organizationOperations = [
  operation({
    method: 'get',
    path: '/api/v1/organization',
    operationId: 'getOrganization',
    tag,
    summary: 'Read the organization’s settings',
    access: session('organization.read'),
    responses: { 200: { description: 'The organization', schema: organizationSchema } },
    handle: async ({ deps, db, actor }) => present(deps, db, await getOrganization(db, actor.orgId)),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/organization',
    operationId: 'updateOrganization',
    tag,
    summary: 'Change some of the organization’s settings',
    description: 'What is not given stays as it is.',
    access: session('organization.manage'),
    body: updateOrganizationBody,
    responses: { 200: { description: 'The changed organization', schema: organizationSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor, body: { expected, ...body } }) => {
      const asked = changesOf(body);
      const changes = { ...asked, ...vetRetention(deps.config, asked) };
      await lockOrganizationFor(db, actor);
      if (expected !== undefined) {
        const current = presentSettings(await getOrganization(db, actor.orgId), deps.config);
        refuseOvertaken<Record<string, unknown>>(byPath(expected), byPath(current), byPath(body));
      }
      return present(deps, db, await changeOrganization(deps, db, actor.orgId, changes));
    },
  }),
];
