import { z } from 'zod';
import { refusal, ruled, ruledIssue } from '../../shared/field-errors.ts';
import {
  changeInternalNetworks,
  findInternalNetworks,
  lockOrganizationFor,
} from '../../shared/organizations/service.ts';
import { plainAddress } from '../../shared/places/addresses.ts';
import { bitsOf, canonicalCidr, cidrOf, isWithin } from '../../shared/places/cidrs.ts';
import { expectedField } from '../fields.ts';
import { ok, operation, session } from '../operation.ts';

const tag = 'Organization';
const path = '/api/v1/organization/internal-networks';

const MAX_NETWORKS = 50;
/** The largest blocks that one company has; what is wider is a slip, and would leave its products without protection. */
const WIDEST = { ipv4: 8, ipv6: 20 };

const networkField = z
  .string()
  .trim()
  .max(64)
  .transform((given, context): string => {
    const cidr = cidrOf(given);
    if (cidr === null) {
      context.addIssue(ruledIssue(refusal('NOT_A_NETWORK', 'is neither an address nor a CIDR')));
      return z.NEVER;
    }
    const { kind, bits } = bitsOf(cidr);
    const widest = WIDEST[kind];
    if (bits >= widest) return canonicalCidr(cidr);
    const said = `is wider than a network of one organization: /${widest} at the widest`;
    context.addIssue(ruledIssue(refusal('NETWORK_TOO_WIDE', said, { widest })));
    return z.NEVER;
  });

const readFields = {
  networks: z
    .array(z.string())
    .meta({ description: 'CIDRs without bits of a host, a single address as the CIDR of that alone' }),
};

const body = z.strictObject({
  networks: z
    .array(networkField)
    .max(MAX_NETWORKS)
    .refine(
      (cidrs) => new Set(cidrs).size === cidrs.length,
      ruled(refusal('REPEATED', 'names a network twice')),
    )
    .meta({
      description: 'Addresses and CIDRs, in place of those that are there; empty for none',
      examples: [['203.0.113.0/24', '2001:db8:4::/48']],
    }),
  expected: expectedField(readFields),
});

const schema = z
  .object({
    ...readFields,
    callerAddress: z
      .string()
      .nullable()
      .meta({ description: 'Where this request came from, to add it or to see that it is there' }),
    isCallerInside: z
      .boolean()
      .meta({ description: 'Whether a scan from there, made now, would be internal' }),
  })
  .meta({
    id: 'InternalNetworks',
    description:
      'The organization’s own offices, warehouses and test devices: a scan from there is recorded, and neither counted nor judged',
  });

const present = (networks: readonly string[], ip: string | null): z.input<typeof schema> => ({
  networks: [...networks],
  callerAddress: ip === null ? null : plainAddress(ip),
  isCallerInside: ip !== null && isWithin(networks, ip),
});

export const internalNetworkOperations = [
  operation({
    method: 'get',
    path,
    operationId: 'getInternalNetworks',
    tag,
    summary: 'Read the organization’s own networks',
    access: session('organization.read'),
    responses: { 200: { description: 'The networks', schema } },
    handle: async ({ db, actor, origin }) =>
      ok(present(await findInternalNetworks(db, actor.orgId), origin.ip)),
  }),
  operation({
    method: 'put',
    path,
    operationId: 'setInternalNetworks',
    tag,
    summary: 'Name the organization’s own networks',
    description:
      'It holds for the scans to come: what was recorded before stays as it is. The security contact is told.',
    access: session('organization.manage'),
    body,
    responses: { 200: { description: 'The networks', schema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor, origin, body }) => {
      await lockOrganizationFor(db, actor);
      await changeInternalNetworks(deps, db, actor.orgId, body);
      return ok(present(body.networks, origin.ip));
    },
  }),
];
