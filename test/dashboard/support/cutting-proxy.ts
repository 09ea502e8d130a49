/** A proxy before the stack that breaks off in the middle of answers: a route of Playwright's answers whole or not at all. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CuttingProxy {
  url: string;
  /** Of which requests the answer is cut, by their path and query; none at first. */
  cuts: RegExp | null;
  close(): Promise<void>;
}

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const server = createServer((asked, answer) => {
    const { method, headers, url = '' } = asked;
    const isCut = proxy.cuts?.test(url) ?? false;
    const onward = request(new URL(url, target), { method, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      if (isCut)
        response.once('data', (part: Buffer) => answer.write(part.subarray(0, 20), () => answer.destroy()));
      else response.pipe(answer);
    });
    asked.pipe(onward);
    onward.on('error', () => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
