import { changeUser, getUser, listPeople, listUsers, removeUser } from '../../shared/users/service.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { noContent, ok, operation, session } from '../operation.ts';
import {
  listPeopleQuery,
  listUsersQuery,
  personSchema,
  presentPerson,
  presentUser,
  updateUserBody,
  userSchema,
} from './schema.ts';

const tag = 'Users';

export const userOperations = [
  operation({
    method: 'get',
    path: '/api/v1/people',
    operationId: 'listPeople',
    tag,
    summary: 'Name everybody of the organization, newest first',
    description:
      'Who is meant where a case, a report or a note names a user. Who gave no name goes by their address.',
    access: session('organization.read'),
    query: listPeopleQuery,
    responses: { 200: { description: 'A page of people', schema: listOf(personSchema) } },
    handle: async ({ db, actor, query }) =>
      ok(listBody('people', await listPeople(db, actor.orgId, query, pageRequest(query)), presentPerson)),
  }),
  operation({
    method: 'get',
    path: '/api/v1/users',
    operationId: 'listUsers',
    tag,
    summary: 'List the organization’s users, newest first',
    access: session('users.read'),
    query: listUsersQuery,
    responses: { 200: { description: 'A page of users', schema: listOf(userSchema) } },
    handle: async ({ db, actor, query }) =>
      ok(listBody('users', await listUsers(db, actor.orgId, pageRequest(query)), presentUser)),
  }),
  operation({
    method: 'get',
    path: '/api/v1/users/{id}',
    operationId: 'getUser',
    tag,
    summary: 'Read a user',
    access: session('users.read'),
    ids: { id: 'user' },
    responses: { 200: { description: 'The user', schema: userSchema } },
    handle: async ({ db, actor, ids }) => ok(presentUser(await getUser(db, actor.orgId, ids.id))),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/users/{id}',
    operationId: 'updateUser',
    tag,
    summary: 'Change a user’s role, or disable them',
    description:
      'Bites at their next request; disabling ends their sessions. Nobody decides about a role above their own, and one owner always stays.',
    access: session('users.manage'),
    ids: { id: 'user' },
    body: updateUserBody,
    responses: { 200: { description: 'The changed user', schema: userSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor, ids, body }) =>
      ok(presentUser(await changeUser(deps, db, actor, ids.id, body))),
  }),
  operation({
    method: 'delete',
    path: '/api/v1/users/{id}',
    operationId: 'removeUser',
    tag,
    summary: 'Remove a user from the organization',
    description: 'Ends their sessions and frees their address.',
    access: session('users.manage'),
    ids: { id: 'user' },
    responses: { 204: { description: 'They are gone' } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor, ids }) => {
      await removeUser(deps, db, actor, ids.id);
      return noContent();
    },
  }),
];
