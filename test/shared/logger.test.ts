import { expect } from 'chai';
import { createLogger } from '../../shared/logger.ts';

describe('the log', () => {
  it('redacts what may carry a secret, wherever a program puts it', () => {
    const lines: string[] = [];
    const log = createLogger('web', 'info', { write: (line: string) => void lines.push(line) });
    const canary = 'canary-4711';
    log.info({ secret: canary, password: canary, key: canary });
    log.info({ endpoint: { secret: canary }, user: { password: canary }, created: { key: canary } });
    log.info({
      req: { headers: { authorization: canary, cookie: canary, 'x-api-key': canary, accept: 'kept' } },
      res: { headers: { 'set-cookie': canary } },
    });
    expect(lines).to.have.length(3);
    expect(lines.join('')).not.to.include(canary);
    expect(lines[2]).to.include('kept');
  });
});
