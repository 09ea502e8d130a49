import { getPriority } from 'node:os';
import { expect } from 'chai';
import { createInstallation, type Installation } from '../support/processes.ts';

describe('the priority of worker processes', () => {
  let installation: Installation;

  before(async () => {
    installation = await createInstallation({ WORKER_NICENESS: '4' });
  });
  after(() => installation.remove());

  it('is behind web’s, and that of minting and deliveries behind scoring’s', async () => {
    const [scoring, delivering, all] = await Promise.all([
      installation.startWorker('scans'),
      installation.startWorker('barcodes', 'webhooks'),
      installation.startWorker(),
    ]);
    const own = getPriority();
    const behind = (niceness: number) => Math.min(19, own + niceness);
    expect([scoring, delivering, all].map(({ pid }) => getPriority(pid))).to.deep.equal(
      [4, 8, 4].map(behind),
    );
  });
});
