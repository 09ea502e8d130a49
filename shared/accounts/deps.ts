import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import type { Logger } from '../logger.ts';
import type { Waker } from '../queues.ts';
import type { Counter } from '../rate-limits/counter.ts';
import type { SecretBox } from '../secret-box.ts';
import type { AccessTokens } from './access-token.ts';

/** What everything about accounts needs. */
export interface AccountDeps {
  db: Pool;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  random(bytes: number): Buffer;
  secretBox: SecretBox;
  waker: Waker;
  accessTokens: AccessTokens;
  counter: Counter;
  /** Links in mails begin with it. */
  publicUrl: string;
  /** Keys of 32 bytes, each for its one purpose. */
  refreshKey: Buffer;
  tokenKey: Buffer;
  deviceKey: Buffer;
  /** Failed sign-ins in 15 minutes. */
  failuresPerAddress: number;
  failuresPerAccount: number;
}
