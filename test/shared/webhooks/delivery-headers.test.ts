import { expect } from 'chai';
import { deliveryHeaders, validateCustomHeaders } from '../../../shared/webhooks/delivery-headers.ts';
import { generateSecret, signatureHeader } from '../../../shared/webhooks/signature.ts';

describe('delivery headers', () => {
  it('are the type, the event’s id, the attempt’s id and both kinds of signature', () => {
    const rawBody = Buffer.from('{}');
    const secrets = [generateSecret()];
    const headers = deliveryHeaders({
      eventId: 'evt_1',
      eventType: 'scan.recorded',
      deliveryId: 'dlv_1',
      userAgent: 'Touchstone/1.0.0 (+webhooks)',
      secrets,
      unixSeconds: 1_795_167_001,
      rawBody,
      custom: { Authorization: 'Bearer x', 'X-Service-Event': 'forged', 'User-Agent': 'forged' },
    });
    expect(headers).to.include({
      Authorization: 'Bearer x',
      'User-Agent': 'Touchstone/1.0.0 (+webhooks)',
      'Content-Type': 'application/json',
      'X-Service-Event': 'scan.recorded',
      'X-Service-Event-Id': 'evt_1',
      'X-Service-Delivery': 'dlv_1',
      'X-Service-Signature': signatureHeader(secrets, 1_795_167_001, rawBody),
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1795167001',
    });
  });

  it('may be joined by headers of the endpoint’s own', () => {
    expect(
      validateCustomHeaders({ Authorization: 'Bearer abc', 'X-Tenant': 'a b', 'x-api-key': '~' }),
    ).to.deep.equal([]);
    expect(validateCustomHeaders({})).to.deep.equal([]);
  });

  for (const name of [
    'X-Service-Signature',
    'x-service-anything',
    'webhook-id',
    'User-Agent',
    'Content-Type',
    'Content-Length',
    'Host',
    'Connection',
    'Keep-Alive',
    'Transfer-Encoding',
    'TE',
    'Trailer',
    'Upgrade',
    'Proxy-Authorization',
    'Expect',
    'bad name',
    'bad:name',
    'bad\r\nname',
    '',
    'ü',
  ]) {
    it(`refuses the name ${JSON.stringify(name)}`, () => {
      expect(validateCustomHeaders({ [name]: 'x' })).to.have.length(1);
    });
  }

  for (const value of ['a\r\nX-Injected: 1', 'a\nb', 'a\0b', '', ' a', 'a ', 'ü', 'a\tb', 'x'.repeat(1025)]) {
    it(`refuses the value ${JSON.stringify(value.slice(0, 20))}`, () => {
      expect(validateCustomHeaders({ 'X-Tenant': value })).to.have.length(1);
    });
  }

  it('refuses one header in two spellings, and more than twenty', () => {
    expect(validateCustomHeaders({ 'X-A': '1', 'x-a': '2' })).to.deep.equal([
      { path: 'headers.x-a', code: 'REPEATED', message: 'The header is given twice.' },
    ]);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, '1']));
    expect(validateCustomHeaders(many)).to.have.length(1);
  });
});
