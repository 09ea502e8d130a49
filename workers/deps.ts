/** What the processors are given. */
import type { Core } from '../shared/wiring.ts';
import type { LinkSigner } from '../shared/barcode-jobs/download-link.ts';
import type { LookUpTxt } from '../shared/domains/dns.ts';
import type { MailTransport } from '../shared/mail/transport.ts';
import type { Storage } from '../shared/storage/storage.ts';
import type { ProviderCalls } from '../shared/single-sign-on/provider.ts';
import type { Sender } from '../shared/webhooks/attempt.ts';

export interface WorkerDeps extends Core {
  storage: Storage;
  links: LinkSigner;
  sender: Sender;
  mailTransport: MailTransport;
  lookUpTxt: LookUpTxt;
  /** Of single sign-on. */
  providers: ProviderCalls;
  /** Uniform in [0, 1). */
  randomUniform(): number;
  /** Aborted when the process is told to stop: loops end at their next safe point. */
  stopping: AbortSignal;
}
