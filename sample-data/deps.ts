/** What the chapters of the sample are given. */
import type { Actor, UserActor } from '../shared/actor.ts';
import { auditActor, recordAudit, type Snapshot } from '../shared/audit/service.ts';
import type { Db } from '../shared/db.ts';
import { newUuid } from '../shared/ids.ts';
import type { ConsignmentDeps } from '../shared/consignments/service.ts';
import type { Verifier } from '../shared/scans/verifier.ts';
import type { WorkerDeps } from '../workers/deps.ts';
import type { Random } from './random.ts';
import type { TimeMachine } from './time.ts';

export interface Sample {
  /** With the time machine's clock, and a waker that wakes nobody: the generator does the workers' work itself. */
  deps: WorkerDeps;
  time: TimeMachine;
  random: Random;
  orgId: string;
  /** When the story ends: now. */
  end: number;
  /** Share of the full sample's units and scans, 0–1; tests take less. */
  scale: number;
  verifier: Verifier;
  consignmentDeps: ConsignmentDeps;
  networkKey: Buffer;
  /** Puts what happens to the organization's data at a time into the audit log, as the API would. */
  audit(db: Db, actor: Actor, action: string, resource: string | null, after: Snapshot): Promise<void>;
}

export const auditor =
  (deps: Pick<WorkerDeps, 'clock'>, orgId: string): Sample['audit'] =>
  (db, actor, action, resource, after) =>
    recordAudit(deps, db, {
      orgId,
      actor: auditActor(actor),
      action,
      resource,
      origin: { ip: '192.0.2.44', userAgent: 'Mozilla/5.0 (sample data)', requestId: newUuid() },
      before: null,
      after,
    });

/** The people of the sample organization. */
export type Staff = Record<'owner' | 'administrator' | 'analyst' | 'viewer', UserActor>;
