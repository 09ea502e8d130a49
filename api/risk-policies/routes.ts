import { encodeId, encodeNullableId } from '../../shared/ids.ts';
import { getPolicy, setPolicy } from '../../shared/risk-policies/service.ts';
import {
  cancelSimulation,
  createSimulation,
  getSimulation,
  listSimulations,
} from '../../shared/risk-simulations/service.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { accepted, needs, ok, operation } from '../operation.ts';
import {
  listSimulationsQuery,
  policyBody,
  policyQuery,
  policySchema,
  presentPolicy,
  presentSimulation,
  simulationBody,
  simulationSchema,
} from './schema.ts';

const tag = 'Risk policies';

export const riskPolicyOperations = [
  operation({
    method: 'get',
    path: '/api/v1/risk-policies',
    operationId: 'getRiskPolicy',
    tag,
    summary: 'Read the policy of the organization or of a product',
    access: needs('scans.read'),
    query: policyQuery,
    responses: { 200: { description: 'What is changed, and what is in force', schema: policySchema } },
    errors: ['NOT_FOUND'],
    handle: async ({ db, actor, query }) =>
      ok(presentPolicy(await getPolicy(db, actor.orgId, query.productId ?? null))),
  }),
  operation({
    method: 'put',
    path: '/api/v1/risk-policies',
    operationId: 'putRiskPolicy',
    tag,
    summary: 'Replace what the organization or a product changes about the rules',
    description: 'In force at the next scan. Try it first with `POST /api/v1/risk-policies/simulate`.',
    access: needs('scans.write'),
    query: policyQuery,
    resource: ({ productId }) => encodeNullableId('prod', productId ?? null),
    body: policyBody,
    responses: { 200: { description: 'The policy in force', schema: policySchema } },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handle: async ({ deps, db, actor, query, body }) =>
      ok(presentPolicy(await setPolicy(deps, db, actor.orgId, query.productId ?? null, body))),
  }),
  operation({
    method: 'post',
    path: '/api/v1/risk-policies/simulate',
    operationId: 'simulateRiskPolicy',
    tag,
    summary: 'Try a policy on the scans of the past',
    description:
      'At most five are open at a time; cancel one that nobody waits for. It is deleted some time after it finished, like an export.',
    access: needs('scans.write'),
    body: simulationBody,
    idempotent: true,
    responses: {
      202: {
        description: 'The simulation, to poll',
        schema: simulationSchema,
        headers: { Location: { description: 'Where to poll' } },
      },
    },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    handle: async ({ deps, db, afterCommit, actor, body }) => {
      const row = await createSimulation(deps, { db, afterCommit }, actor.orgId, {
        policy: body.policy,
        productId: body.productId ?? null,
        from: body.from ?? null,
        to: body.to ?? null,
      });
      return accepted(presentSimulation(row), `/api/v1/risk-simulations/${encodeId('sim', row.id)}`);
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/risk-simulations',
    operationId: 'listRiskSimulations',
    tag,
    summary: 'List simulations, newest first',
    access: needs('scans.read'),
    query: listSimulationsQuery,
    responses: { 200: { description: 'A page of simulations', schema: listOf(simulationSchema) } },
    handle: async ({ db, actor, query }) =>
      ok(
        listBody(
          'risk-simulations',
          await listSimulations(db, actor.orgId, query, pageRequest(query)),
          presentSimulation,
        ),
      ),
  }),
  operation({
    method: 'get',
    path: '/api/v1/risk-simulations/{id}',
    operationId: 'getRiskSimulation',
    tag,
    summary: 'Read a simulation',
    access: needs('scans.read'),
    ids: { id: 'sim' },
    responses: { 200: { description: 'The simulation', schema: simulationSchema } },
    handle: async ({ db, actor, ids }) => {
      const row = await getSimulation(db, actor.orgId, ids.id);
      return ok(presentSimulation(row), row.finished_at === null ? { 'Retry-After': '1' } : {});
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/risk-simulations/{id}/cancel',
    operationId: 'cancelRiskSimulation',
    tag,
    summary: 'Cancel a simulation',
    description: 'What it found so far is not told, and another may be started.',
    access: needs('scans.write'),
    ids: { id: 'sim' },
    responses: { 200: { description: 'The cancelled simulation', schema: simulationSchema } },
    errors: ['INVALID_TRANSITION'],
    handle: async ({ deps, db, actor, ids }) =>
      ok(presentSimulation(await cancelSimulation(deps, db, actor.orgId, ids.id))),
  }),
];
