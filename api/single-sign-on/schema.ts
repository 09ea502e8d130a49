import { z } from 'zod';
import { ROLES } from '../../shared/access/roles.ts';
import { refusal, ruled } from '../../shared/field-errors.ts';
import {
  PROVIDER_PROBLEMS,
  redirectUrlOf,
  REFUSALS,
  signInUrlOf,
  type ProviderRow,
} from '../../shared/single-sign-on/service.ts';
import { emailField, tokenFields } from '../auth/schema.ts';
import { text } from '../fields.ts';
import { idField, instant, moment } from '../list.ts';

const issuerField = z
  .string()
  .min(1)
  .max(2048)
  .meta({
    description:
      'Issuer of the provider, an HTTPS URL at which `/.well-known/openid-configuration` says what it is; the address of that document is taken as well',
    examples: ['https://login.brand.example'],
  });

const newcomerRoleField = z.enum(ROLES).exclude(['owner']).nullable().meta({
  description:
    'Of people whom the provider names, whose address is of the organization’s confirmed domain, and whom nobody invited; null: such people are refused',
});

const requiredField = z.boolean().meta({
  description:
    'Whether everybody but owners has to sign in that way. Owners keep their passwords, so that a provider that fails locks nobody out. It counts from when somebody has signed in by it once',
});

export const setSingleSignOnBody = z.strictObject({
  issuer: issuerField,
  clientId: text(500).meta({ description: 'As which the provider knows this service' }),
  clientSecret: text(2000)
    .optional()
    .meta({ description: 'Never shown again; left out, it stays, for the same issuer and client' }),
  required: requiredField.default(false),
  newcomerRole: newcomerRoleField.default(null),
  expectedUpdatedAt: moment.nullable().optional().meta({
    description:
      '`updatedAt` of the provider that was read, null where there was none: with it, the change is refused (CONFLICT) where somebody else made one since',
  }),
});

export const singleSignOnSchema = z
  .object({
    provider: z
      .object({
        issuer: z.string().meta({ description: 'Of the provider, an HTTPS URL' }),
        clientId: z.string().meta({ description: 'As which the provider knows this service' }),
        required: requiredField,
        newcomerRole: newcomerRoleField,
        status: z.enum(['pending', 'ready', 'failed']).meta({
          description: 'Whether people can sign in: what the provider is has to be read from it once',
        }),
        problem: z.enum(PROVIDER_PROBLEMS).nullable().meta({
          description:
            'Of the last look: it did not answer, what is there is no OpenID provider of that issuer, or it offers no authorization code with a client secret, or is for people of any organization, as Microsoft’s `common` is',
        }),
        provenAt: instant.nullable().meta({
          description:
            'When somebody first signed in by it, with this client and secret; until then `required` does not count',
        }),
        lastCheckedAt: instant.nullable().meta({ description: 'When it was last looked at' }),
        isChecking: z.boolean().meta({ description: 'Whether a look is still to come' }),
        createdAt: instant,
        updatedAt: instant,
      })
      .nullable()
      .meta({ description: 'Null where people sign in with passwords alone' }),
    redirectUrl: z
      .string()
      .meta({ description: 'What the provider is told that it may lead browsers back to' }),
    signInUrl: z.string().meta({
      description:
        'Where the organization’s people begin: for a tile on the provider’s page (its “initiate login URI”)',
    }),
  })
  .meta({
    id: 'SingleSignOn',
    description: 'By which OpenID provider an organization’s people sign in',
  });

const statusOf = ({ metadata, problem }: ProviderRow): 'pending' | 'ready' | 'failed' => {
  if (metadata !== null) return 'ready';
  return problem === null ? 'pending' : 'failed';
};

export const presentSingleSignOn = (
  row: ProviderRow | null,
  orgId: string,
  publicUrl: string,
  now: Date,
): z.input<typeof singleSignOnSchema> => ({
  provider:
    row === null
      ? null
      : {
          issuer: row.issuer,
          clientId: row.client_id,
          required: row.is_required,
          newcomerRole: row.newcomer_role,
          status: statusOf(row),
          problem: row.problem,
          provenAt: row.proven_at?.toISOString() ?? null,
          lastCheckedAt: row.checked_at?.toISOString() ?? null,
          isChecking: row.due_at <= now,
          createdAt: row.created_at.toISOString(),
          updatedAt: row.updated_at.toISOString(),
        },
  redirectUrl: redirectUrlOf(publicUrl),
  signInUrl: signInUrlOf(publicUrl, orgId),
});

export const departBody = z
  .strictObject({
    email: emailField.optional(),
    organizationId: idField('org').optional().meta({
      description: 'Whose provider it is, where the address does not tell: as `signInUrl` names it',
    }),
  })
  .refine(
    ({ email, organizationId }) => (email === undefined) !== (organizationId === undefined),
    ruled(
      refusal('EXACTLY_ONE_OF', 'name exactly one of email and organizationId', {
        fields: ['email', 'organizationId'],
      }),
    ),
  );

export const departureSchema = z
  .object({ url: z.string().meta({ description: 'Where the browser goes next: the provider’s own page' }) })
  .meta({ id: 'SingleSignOnDeparture', description: 'A browser on its way to the provider' });

export const outcomeSchema = z
  .object({
    status: z.enum(['pending', 'signedIn', 'refused']).meta({
      description: 'Ask again in a second while the provider is asked; the other two are told once',
    }),
    reason: z.enum(REFUSALS).nullable().meta({ description: 'Why somebody was refused' }),
    token: z.object(tokenFields).nullable().meta({ description: 'Of whoever is signed in' }),
  })
  .meta({ id: 'SingleSignOnOutcome', description: 'What came of a sign-in by the organization’s provider' });
