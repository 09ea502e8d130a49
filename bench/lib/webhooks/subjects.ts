/** Organizations, endpoints and events for the webhook benchmark. */
import { scanRecorded } from '../../../shared/events/event-examples.ts';
import { recordEvents, type EventToRecord } from '../../../shared/events/service.ts';
import { withTransaction } from '../../../shared/db.ts';
import { newUuid } from '../../../shared/ids.ts';
import { newCircuit } from '../../../shared/webhooks/circuit-breaker.ts';
import { secretOwner } from '../../../shared/webhooks/secret-owner.ts';
import { generateSecret } from '../../../shared/webhooks/signature.ts';
import type { Core } from '../../../shared/wiring.ts';

/** An organization with one endpoint, subscribed to everything. @returns the organization's UUID. */
export async function createSubject(core: Core, url: string): Promise<string> {
  const orgId = newUuid();
  const endpointId = newUuid();
  const secret = generateSecret(core.random);
  await core.db.query('insert into organizations (id, name) values ($1, $2)', [orgId, 'Benchmark']);
  await core.db.query(
    `insert into webhook_endpoints (id, org_id, url, events, circuit) values ($1, $2, $3, '{*}', $4)`,
    [endpointId, orgId, url, JSON.stringify(newCircuit(Date.now()))],
  );
  await core.db.query('insert into webhook_secrets (id, endpoint_id, sealed) values ($1, $2, $3)', [
    newUuid(),
    endpointId,
    core.secretBox.seal(secret, secretOwner(orgId, endpointId)),
  ]);
  return orgId;
}

export const scanEvent = (orgId: string): EventToRecord => ({
  type: 'scan.recorded',
  orgId,
  productId: null,
  data: scanRecorded,
});

/** Records events with their dispatches, in one transaction. @param wake whether to wake the worker after the commit */
export async function record(core: Core, events: readonly EventToRecord[], wake: boolean): Promise<void> {
  await withTransaction(core.db, ({ db, afterCommit }) =>
    recordEvents(core, { db, afterCommit: wake ? afterCommit : () => undefined }, events),
  );
}
