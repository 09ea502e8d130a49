/** What the handlers are given. */
import type { LinkSigner } from '../shared/barcode-jobs/download-link.ts';
import type { Sites } from '../shared/code-hosts/sites.ts';
import type { RequestErrorLog } from '../shared/request-errors/service.ts';
import type { Turns } from '../shared/scans/turns.ts';
import type { Verifier } from '../shared/scans/verifier.ts';
import type { Storage } from '../shared/storage/storage.ts';
import type { VetUrlOf } from '../shared/webhooks/url-vetting.ts';
import type { Core } from '../shared/wiring.ts';

export interface ApiDeps extends Core {
  storage: Storage;
  links: LinkSigner;
  verifier: Verifier;
  sites: Sites;
  requestErrors: RequestErrorLog;
  vetWebhookUrl: VetUrlOf;
  /** Of what visitors enter and tap, by unit: a flood at one of them waits for its row without the connections of all others. */
  unitTurns: Turns;
}
