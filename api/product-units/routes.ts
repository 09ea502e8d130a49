import type { Db } from '../../shared/db.ts';
import { invalidField } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';
import { liftRecallOf, startRecall } from '../../shared/recalls/service.ts';
import {
  consumeUnit,
  getUnit,
  holdUnit,
  listUnits,
  moveUnit,
  unconsumeUnit,
} from '../../shared/units/service.ts';
import { unitSearchOf } from '../../shared/units/scanned.ts';
import { recallBody } from '../recalls/schema.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { needs, ok, operation } from '../operation.ts';
import { authorizeUnitFilter } from './authorize-filter.ts';
import { consumeBody, listUnitsQuery, unitPresenter, unitSchema } from './schema.ts';

const tag = 'Product units';
const responses = { 200: { description: 'The unit', schema: unitSchema } };

/** A bulk job waits as well: what it does to the unit is no change of this caller. */
const lock = ({ db, actor, ids }: { db: Db; actor: { orgId: string }; ids: { id: string } }) =>
  holdUnit(db, actor.orgId, ids.id);

/** The same but for the state they lead to. */
const transition = (
  verb: 'activate' | 'suspend' | 'void',
  to: 'active' | 'suspended' | 'voided',
  description = 'A unit that is in this state already is left as it is.',
) =>
  operation({
    method: 'post',
    path: `/api/v1/product-units/{id}/${verb}`,
    operationId: `${verb}Unit`,
    tag,
    summary: `${verb[0]!.toUpperCase()}${verb.slice(1)} a unit`,
    description,
    access: needs('product_units.write'),
    ids: { id: 'unit' },
    lock,
    responses,
    errors: ['INVALID_TRANSITION'],
    handle: async ({ deps, db, actor, ids }) =>
      ok((await unitPresenter(deps, actor))(await moveUnit(deps, db, actor.orgId, ids.id, to))),
  });

export const productUnitOperations = [
  operation({
    method: 'get',
    path: '/api/v1/product-units',
    operationId: 'listUnits',
    tag,
    summary: 'List units, newest first',
    access: needs('products.read'),
    query: listUnitsQuery,
    responses: { 200: { description: 'A page of units', schema: listOf(unitSchema) } },
    handle: async ({ deps, db, actor, query }) => {
      authorizeUnitFilter(actor, query);
      const filter = { ...query, ...unitSearchOf(deps.config.TOKEN_KEYS, query.q) };
      const page = await listUnits(db, actor.orgId, filter, pageRequest(query));
      return ok(listBody('product-units', page, await unitPresenter(deps, actor)));
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/product-units/{id}',
    operationId: 'getUnit',
    tag,
    summary: 'Read a unit',
    access: needs('products.read'),
    ids: { id: 'unit' },
    responses,
    handle: async ({ deps, db, actor, ids }) =>
      ok((await unitPresenter(deps, actor))(await getUnit(db, actor.orgId, ids.id))),
  }),
  transition('activate', 'active'),
  transition('suspend', 'suspended'),
  transition(
    'void',
    'voided',
    'For a code that never leaves the house: misprinted, torn, lost. Only a unit that is `minted` can be voided, for good.',
  ),
  operation({
    method: 'post',
    path: '/api/v1/product-units/{id}/consume',
    operationId: 'consumeUnit',
    tag,
    summary: 'Note that a unit was used up',
    description:
      'From then on a scan by somebody new speaks for a copied code. For units that were activated; one that is consumed already keeps its time.',
    access: needs('product_units.write'),
    ids: { id: 'unit' },
    body: consumeBody,
    lock,
    responses,
    errors: ['INVALID_TRANSITION'],
    handle: async ({ deps, db, actor, ids, body }) => {
      const at = body.at ?? null;
      if (at !== null && at > deps.clock.now())
        throw invalidField('at', refusal('NOT_IN_PAST', 'must not be in the future'));
      return ok((await unitPresenter(deps, actor))(await consumeUnit(deps, db, actor.orgId, ids.id, at)));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/product-units/{id}/unconsume',
    operationId: 'unconsumeUnit',
    tag,
    summary: 'Take back that a unit was used up',
    description:
      'For one that was noted by mistake. What was scored meanwhile stays; dismiss its case where there is one.',
    access: needs('product_units.write'),
    ids: { id: 'unit' },
    lock,
    responses,
    handle: async ({ deps, db, actor, ids }) =>
      ok((await unitPresenter(deps, actor))(await unconsumeUnit(db, actor.orgId, ids.id))),
  }),
  operation({
    method: 'post',
    path: '/api/v1/product-units/{id}/recall',
    operationId: 'recallUnit',
    tag,
    summary: 'Recall a unit',
    description: 'Lies over the unit’s own state; recalling a recalled unit changes nothing.',
    access: needs('product_units.write'),
    ids: { id: 'unit' },
    body: recallBody,
    responses,
    handle: async ({ deps, db, afterCommit, actor, ids, body }) => {
      await startRecall(deps, { db, afterCommit }, actor.orgId, { scope: 'unit', id: ids.id }, body);
      return ok((await unitPresenter(deps, actor))(await getUnit(db, actor.orgId, ids.id)));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/product-units/{id}/lift-recall',
    operationId: 'liftUnitRecall',
    tag,
    summary: 'Lift the recall of a unit',
    description: 'Restores what was. A recall of its batch, its consignment or its product stays.',
    access: needs('product_units.write'),
    ids: { id: 'unit' },
    responses,
    handle: async ({ deps, db, actor, ids }) => {
      await liftRecallOf(deps, db, actor.orgId, { scope: 'unit', id: ids.id });
      return ok((await unitPresenter(deps, actor))(await getUnit(db, actor.orgId, ids.id)));
    },
  }),
];
