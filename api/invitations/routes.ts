import { encodeId } from '../../shared/ids.ts';
import {
  acceptInvitation,
  getInvitation,
  invite,
  listInvitations,
  revokeInvitation,
} from '../../shared/invitations/service.ts';
import { accountDeps } from '../account-deps.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { created, isPublic, ok, operation, session } from '../operation.ts';
import {
  acceptedSchema,
  acceptInvitationBody,
  invitationSchema,
  inviteBody,
  listInvitationsQuery,
  presentInvitation,
} from './schema.ts';

const tag = 'Users';

export const invitationOperations = [
  operation({
    method: 'get',
    path: '/api/v1/invitations',
    operationId: 'listInvitations',
    tag,
    summary: 'List invitations, newest first',
    access: session('users.read'),
    query: listInvitationsQuery,
    responses: { 200: { description: 'A page of invitations', schema: listOf(invitationSchema) } },
    handle: async ({ deps, db, actor, query }) =>
      ok(
        listBody('invitations', await listInvitations(db, actor.orgId, pageRequest(query)), (row) =>
          presentInvitation(row, deps.clock.now()),
        ),
      ),
  }),
  operation({
    method: 'post',
    path: '/api/v1/invitations',
    operationId: 'invite',
    tag,
    summary: 'Invite somebody by mail',
    description:
      'For seven days, once only, with a role up to your own, and for as long as you may give that role. An open invitation of the same address is replaced, where its role too is up to your own.',
    access: session('users.manage'),
    body: inviteBody,
    idempotent: true,
    responses: { 201: { description: 'The invitation', schema: invitationSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, afterCommit, actor, body, origin }) => {
      const input = { ...body, language: body.language ?? null, origin };
      const invitation = await invite(accountDeps(deps), { db, afterCommit }, actor, input);
      return created(
        presentInvitation(invitation, deps.clock.now()),
        `/api/v1/invitations/${encodeId('inv', invitation.id)}`,
      );
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/invitations/{id}',
    operationId: 'getInvitation',
    tag,
    summary: 'Read an invitation',
    access: session('users.read'),
    ids: { id: 'inv' },
    responses: { 200: { description: 'The invitation', schema: invitationSchema } },
    handle: async ({ deps, db, actor, ids }) =>
      ok(presentInvitation(await getInvitation(db, actor.orgId, ids.id), deps.clock.now())),
  }),
  operation({
    method: 'post',
    path: '/api/v1/invitations/{id}/revoke',
    operationId: 'revokeInvitation',
    tag,
    summary: 'Take an invitation back',
    description:
      'One with a role up to your own. Nothing happens where it was accepted or taken back already.',
    access: session('users.manage'),
    ids: { id: 'inv' },
    responses: { 200: { description: 'The invitation', schema: invitationSchema } },
    handle: async ({ deps, db, actor, ids }) =>
      ok(presentInvitation(await revokeInvitation(deps, db, actor, ids.id), deps.clock.now())),
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/accept-invitation',
    operationId: 'acceptInvitation',
    tag,
    summary: 'Accept an invitation by the link in the mail',
    access: isPublic,
    ownTransaction: true,
    body: acceptInvitationBody,
    responses: { 201: { description: 'You can sign in now', schema: acceptedSchema } },
    errors: ['CONFLICT', 'RATE_LIMITED'],
    handle: async ({ deps, body, origin }) => {
      const { orgId, userId } = await acceptInvitation(accountDeps(deps), {
        ...body,
        language: body.language ?? null,
        origin,
      });
      return {
        status: 201,
        body: { userId: encodeId('user', userId), organizationId: encodeId('org', orgId) },
      };
    },
  }),
];
