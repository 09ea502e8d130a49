/**
 * Roles: which scopes and which session-only permissions each grants. The one table that the middleware, the reference
 * and the documentation read.
 */
import { ALL_SCOPES, type Scope } from '../api-keys/scopes.ts';

/** What only a signed-in person may do; no API key has any of it, whatever its scopes. */
export const PERMISSIONS = {
  'account.self': 'Use the service as oneself: profile, password, second factor, own sessions.',
  'organization.read': 'Read the organization’s settings.',
  'organization.manage': 'Change the organization’s settings.',
  'single_sign_on.manage': 'Decide by which provider the organization’s people sign in.',
  'users.read': 'List the organization’s users and invitations.',
  'users.manage': 'Invite, change, disable and remove users, up to one’s own role.',
  'api_keys.manage': 'List, create, rotate and revoke API keys.',
  'audit_log.read': 'Read and export the audit log.',
} as const satisfies Record<string, string>;

export type Permission = keyof typeof PERMISSIONS;

/** From the most to the least powerful. */
export const ROLES = ['owner', 'administrator', 'analyst', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

interface Grants {
  sentence: string;
  scopes: ReadonlySet<Scope>;
  permissions: ReadonlySet<Permission>;
}

const everything: ReadonlySet<Permission> = new Set(Object.keys(PERMISSIONS) as Permission[]);

/** Whoever commands the provider can be anybody, owners included. */
const OF_OWNERS: ReadonlySet<Permission> = new Set<Permission>(['single_sign_on.manage']);

const VIEWER_SCOPES: readonly Scope[] = [
  'products.read',
  'scans.read',
  'epcis.read',
  'analytics.read',
  'consignments.read',
  'reports.read',
];

export const ROLE_TABLE: { readonly [Name in Role]: Grants } = {
  owner: {
    sentence: 'Everything, including who else is an owner.',
    scopes: new Set(ALL_SCOPES),
    permissions: everything,
  },
  administrator: {
    sentence: 'Everything but owners, whom they can neither make nor change, and single sign-on.',
    scopes: new Set(ALL_SCOPES),
    permissions: new Set([...everything].filter((permission) => !OF_OWNERS.has(permission))),
  },
  analyst: {
    sentence:
      'Reads everything about products and scans, works on cases and reports, and changes risk policies.',
    scopes: new Set<Scope>([...VIEWER_SCOPES, 'scans.write', 'reports.write', 'webhooks.read']),
    permissions: new Set<Permission>(['account.self', 'organization.read', 'users.read']),
  },
  viewer: {
    sentence: 'Reads products, scans, figures, consignments and reports.',
    scopes: new Set(VIEWER_SCOPES),
    permissions: new Set<Permission>(['account.self', 'organization.read']),
  },
};

/** @returns whether somebody of role `a` may decide over somebody of role `b`: nobody reaches above themselves. */
export const reaches = (a: Role, b: Role): boolean => ROLES.indexOf(a) <= ROLES.indexOf(b);
