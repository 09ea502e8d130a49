import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { mintTokens } from '../../../shared/units/token.ts';
import { startStand, type Stand } from '../../support/verification-stand.ts';

describe('what a forged token and one that was never minted cost below their pages', () => {
  const { query } = pg.Client.prototype;
  let stand: Stand;
  let lookedUp: string[];
  let nonce: string;

  before(async () => {
    stand = await startStand();
    const { token } = await stand.mintUnit();
    const page = await fetch(`${stand.origin}/v/${token}`, { headers: { accept: 'text/html' } });
    nonce = /data-nonce="([^"]+)"/.exec(await page.text())![1]!;
    pg.Client.prototype.query = function (this: pg.Client, ...sent: unknown[]) {
      const [statement] = sent as [string | { text: string }];
      const text = typeof statement === 'string' ? statement : statement.text;
      if (text.includes('product_units')) lookedUp.push(text);
      return Reflect.apply(query, this, sent);
    } as typeof query;
  });
  after(async () => {
    pg.Client.prototype.query = query;
    await stand?.close();
  });

  const genuine = () => mintTokens(stand.deps.config.TOKEN_KEYS, 1, randomBytes)[0]!.token;
  const forged = () => mintTokens([{ id: 'x', bytes: randomBytes(32) }], 1, randomBytes)[0]!.token;
  const post = (path: string, body: unknown) =>
    fetch(stand.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  const REQUESTS: Record<string, (token: string) => Promise<Response>> = {
    'the thanks for a report': (token) =>
      fetch(`${stand.origin}/v/${token}/reports?filed`, { headers: { accept: 'text/html' } }),
    'a report': (token) => post(`/v/${token}/reports`, { description: 'The cap was loose.' }),
    'a position': (token) => post(`/v/${token}/position`, { nonce, lat: 1, lon: 1, accuracyM: 5 }),
  };

  for (const [name, send] of Object.entries(REQUESTS))
    it(`is the same look-up for ${name}, so that the time tells nothing of the tag`, async () => {
      const costs = async (token: string) => {
        lookedUp = [];
        const { status } = await send(token);
        return { status, lookedUp };
      };
      const ofGenuine = await costs(genuine());
      expect(await costs(forged())).to.deep.equal(ofGenuine);
      expect(ofGenuine.lookedUp).not.to.be.empty;
    });
});
