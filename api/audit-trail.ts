/**
 * Records every change that a key or a person makes, around the operation that makes it: no handler can forget it. What the
 * resource looked like before and after is what `GET` on it says, so nothing is recorded that the API would not show, and without
 * what only gathers on it.
 */
import { AppError } from '../shared/errors.ts';
import { encodeId } from '../shared/ids.ts';
import { auditActor, lockAudited, recordAudit, type Snapshot } from '../shared/audit/service.ts';
import type { Access, Operation, OperationContext, Reply } from './operation.ts';

type Context = OperationContext<Access, string, unknown, unknown>;

export type AuditTrail = (
  operation: Operation,
  context: Context,
  effect: () => Promise<Reply | null>,
) => Promise<Reply | null>;

const asSnapshot = (value: unknown): Snapshot | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Snapshot) : null;

/** Lists that grow on a resource: with one more each time, and with links that are new at each reading, they would fill the log. */
const GATHERED = new Set(['artifacts', 'decisions', 'evidence', 'notes', 'photos', 'reports', 'riskCases']);

/** What follows from a policy and those above it: one changed number would be dozens of lines. */
const DERIVED = new Set(['effective', 'inherited', 'effectiveAlertCooldownMinutes']);

const ownFields = (snapshot: Snapshot | null, unlogged: readonly string[] = []): Snapshot | null =>
  snapshot &&
  Object.fromEntries(
    Object.entries(snapshot).filter(
      ([name]) => !GATHERED.has(name) && !DERIVED.has(name) && !unlogged.includes(name),
    ),
  );

/**
 * The note that was added, as who wrote it when and how long it is: enough to find it where it is kept. Its text may be about
 * people, and nothing can be taken out of the log.
 */
function addedNote(request: Snapshot | null, after: Snapshot): Snapshot {
  const written = request?.note ?? request?.text;
  if (typeof written !== 'string' || !Array.isArray(after.notes)) return {};
  // By its text: another's, of the same moment, may be the newest.
  const own = after.notes.map(asSnapshot).findLast((note) => note?.text === written);
  if (own === null || own === undefined) return {};
  const { text: _, ...rest } = own;
  return { note: { ...rest, characters: written.length } };
}

/** The job that a change has started beside what it shows on the resource: what the job does has no entry of its own. */
const startedJob = (reply: Snapshot | null): Snapshot =>
  typeof reply?.activationJobId === 'string' ? { activationJobId: reply.activationJobId } : {};

/** @param operations all of them, among which the reader of a changed resource is looked for. */
export function createAuditTrail(operations: readonly Operation[]): AuditTrail {
  const readers = new Map(
    operations
      .filter((one) => one.method === 'get' && one.access.kind !== 'public')
      .filter((one) => one.responses[200]?.schema !== undefined)
      .map((one) => [one.path, one]),
  );
  // A GET that answers JSON reads one resource where it has no query parameters, or the very ones by which the change names
  // what it changes; lists have at least `limit`.
  // What is only made has no earlier state, and nobody to wait for.
  const readerFor = ({ path, query, responses }: Operation) =>
    Object.keys(responses).every((status) => status === '201' || status === '202')
      ? undefined
      : [path, path.replace(/(\{\w+\})\/[^{}]+$/, '$1'), path.replace(/\/[^{}/]+\/\{\w+\}$/, '')]
          .map((place) => readers.get(place))
          .find((reader) => reader !== undefined && (reader.query === undefined || reader.query === query));

  const read = async (reader: Operation | undefined, context: Context): Promise<Snapshot | null> => {
    if (reader === undefined) return null;
    try {
      const query = reader.query === undefined ? undefined : context.query;
      const reply = await reader.handle({ ...context, query, body: undefined });
      return asSnapshot(reply?.body);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  };

  return async (operation, context, effect) => {
    const { actor, deps, ids, origin } = context;
    if (actor === null) return effect();
    const reader = readerFor(operation);
    // Before the first look: what another request changes meanwhile is that one's entry.
    if (reader !== undefined) {
      // Of what is read, not of what is changed on it: two photos of one report go one after the other.
      const names = Object.keys(reader.ids ?? {});
      const readIds = Object.fromEntries(Object.entries(ids).filter(([name]) => names.includes(name)));
      await lockAudited(
        context.db,
        actor.orgId,
        `${reader.path} ${JSON.stringify([readIds, context.query])}`,
      );
    }
    await operation.lock?.(context);
    const before = await read(reader, context);
    const reply = await effect();
    const body = asSnapshot(reply?.body);
    const isNew = reply !== null && (reply.status === 201 || reply.status === 202);
    const after = isNew
      ? body
      : reader === undefined
        ? asSnapshot(context.body)
        : await read(reader, context);
    const { insteadOfNew } = reply ?? {};
    // What was there keeps what it had, and may get a note.
    const former = insteadOfNew === undefined ? null : after;
    // What is changed on a resource, as a photo of a report, is named by the resource that is read.
    const shown = reader ?? operation;
    const [name, prefix] = Object.entries(shown.ids ?? {}).at(-1) ?? [];
    const uuid = name === undefined ? undefined : (ids as Record<string, string>)[name];
    const named =
      prefix !== undefined && uuid !== undefined
        ? encodeId(prefix, uuid)
        : (operation.resource?.(context.query) ?? null);
    await recordAudit(deps, context.db, {
      orgId: actor.orgId,
      actor: auditActor(actor),
      action: insteadOfNew ?? operation.operationId,
      resource: isNew && typeof body?.id === 'string' ? body.id : named,
      origin,
      before: ownFields(isNew ? former : before, shown.unlogged),
      after: after && {
        ...ownFields(after, shown.unlogged),
        ...addedNote(asSnapshot(context.body), after),
        ...startedJob(body),
      },
    });
    return reply;
  };
}
