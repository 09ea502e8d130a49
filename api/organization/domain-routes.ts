import { z } from 'zod';
import {
  askForLook,
  getDomain,
  nameDomain,
  NOT_A_DOMAIN,
  parseDomain,
  removeDomain,
} from '../../shared/domains/service.ts';
import { AppError } from '../../shared/errors.ts';
import { ruledIssue } from '../../shared/field-errors.ts';
import type { ApiDeps } from '../deps.ts';
import { createCounter } from '../../shared/rate-limits/counter.ts';
import { ok, operation, session } from '../operation.ts';
import { domainSchema, presentDomain } from './domain-schema.ts';

const tag = 'Organization';

const domainField = z
  .string()
  .max(300)
  .transform((given, context): string => {
    const name = parseDomain(given);
    if (name !== null) return name;
    context.addIssue(ruledIssue(NOT_A_DOMAIN));
    return z.NEVER;
  })
  .meta({
    description: 'A name such as `example.com`; kept as the DNS has it, in ASCII and small letters',
    examples: ['example.com'],
  });

/** Each is a question to name servers that somebody else names: enough for whoever waits for a record, and no way to flood them. */
const MAX_LOOKS = 30;
const WINDOW_MS = 10 * 60_000;

/** @throws AppError RATE_LIMITED for an organization that has had so many looks; while Redis is away, nothing is counted */
async function countLook({ redis, config, log }: ApiDeps, orgId: string): Promise<void> {
  const counter = createCounter(redis, config.QUEUE_PREFIX);
  const counted = await counter.add(`domain-looks:${orgId}`, WINDOW_MS).catch((error: unknown) => {
    log.warn({ err: error }, 'looks for records of domains are not counted');
    return null;
  });
  if (counted === null || counted.count <= MAX_LOOKS) return;
  throw new AppError('RATE_LIMITED', {
    detail: `${MAX_LOOKS} looks in ten minutes are enough; it is looked by itself as well`,
    headers: { 'Retry-After': String(Math.ceil(counted.resetMs / 1000)) },
  });
}

const domainResponse = { description: 'The domain', schema: domainSchema };
const path = '/api/v1/organization/domain';

export const organizationDomainOperations = [
  operation({
    method: 'get',
    path,
    operationId: 'getDomain',
    tag,
    summary: 'Read the organization’s domain',
    description: 'NOT_FOUND where it has named none.',
    access: session('organization.read'),
    responses: { 200: domainResponse },
    errors: ['NOT_FOUND'],
    handle: async ({ db, actor }) => ok(presentDomain(await getDomain(db, actor.orgId))),
  }),
  operation({
    method: 'put',
    path,
    operationId: 'setDomain',
    tag,
    summary: 'Name the domain by which consumers can tell who the organization is',
    description:
      'Its `record` is looked for at once, and again for two weeks; once it is there, consumers’ pages name the domain, for as long as the record stays. Another name takes the place of the one that is there; the same changes nothing.',
    access: session('organization.manage'),
    body: z.strictObject({ name: domainField }),
    prepare: ({ deps, actor }) => countLook(deps, actor.orgId),
    responses: { 200: domainResponse },
    handle: async ({ deps, db, afterCommit, actor, body }) =>
      ok(presentDomain(await nameDomain(deps, { db, afterCommit }, actor.orgId, body.name))),
  }),
  operation({
    method: 'post',
    path: `${path}/check`,
    operationId: 'checkDomain',
    tag,
    summary: 'Look for the domain’s record now',
    description: 'Read the domain until `isChecking` is false.',
    access: session('organization.manage'),
    responses: {
      202: {
        ...domainResponse,
        headers: { 'Retry-After': { description: 'Seconds until it is worth reading' } },
      },
    },
    errors: ['NOT_FOUND'],
    prepare: ({ deps, actor }) => countLook(deps, actor.orgId),
    handle: async ({ deps, db, afterCommit, actor }) => ({
      status: 202,
      body: presentDomain(await askForLook(deps, { db, afterCommit }, actor.orgId)),
      headers: { Location: path, 'Retry-After': '1' },
    }),
  }),
  operation({
    method: 'delete',
    path,
    operationId: 'removeDomain',
    tag,
    summary: 'Remove the organization’s domain: consumers’ pages name it no longer',
    access: session('organization.manage'),
    responses: { 204: { description: 'Removed' } },
    errors: ['NOT_FOUND'],
    handle: async ({ db, actor }) => {
      await removeDomain(db, actor.orgId);
      return { status: 204 };
    },
  }),
];
