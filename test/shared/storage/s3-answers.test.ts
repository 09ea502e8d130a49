import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createS3Storage, type S3Storage } from '../../../shared/storage/s3-storage.ts';

const AT_ONCE = 1_000;

/** A storage whose service answers as it is told to. */
async function whileAnswered(answer: RequestListener, work: (storage: S3Storage) => Promise<void>) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const storage = createS3Storage({
    bucket: 'codes',
    region: 'us-east-1',
    prefix: '',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  });
  try {
    await work(storage);
  } finally {
    storage.close();
    server.closeAllConnections();
    server.close();
  }
}

const keysOf = (xml: string): string[] => [...xml.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key!);

/** Lists and deletes as S3 does, a thousand at a time. @param stuck is not deleted, which the answer of 200 tells */
const bucketOf =
  (left: Set<string>, stuck?: string): RequestListener =>
  async (req, res) => {
    res.setHeader('content-type', 'application/xml');
    if (req.method === 'GET') {
      const contents = [...left].slice(0, AT_ONCE).map((key) => `<Contents><Key>${key}</Key></Contents>`);
      res.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`);
      return;
    }
    for (const key of keysOf(await text(req))) if (key !== stuck) left.delete(key);
    res.end(
      stuck === undefined
        ? '<DeleteResult/>'
        : `<DeleteResult><Error><Key>${stuck}</Key><Code>AccessDenied</Code></Error></DeleteResult>`,
    );
  };

describe('a service that speaks S3', () => {
  it('is asked until nothing is left below a prefix, a thousand objects at a time', async () => {
    const left = new Set(Array.from({ length: 2 * AT_ONCE + 1 }, (_, index) => `jobs/1/${index}`));
    await whileAnswered(bucketOf(left), (storage) => storage.removeAll('jobs/1/'));
    expect(left.size).to.equal(0);
  });

  it('says which object it did not remove in an answer of 200, and that is a failure', async () => {
    const left = new Set(['jobs/1/a', 'jobs/1/b']);
    await whileAnswered(bucketOf(left, 'jobs/1/b'), async (storage) => {
      for (const removal of [() => storage.remove('jobs/1/b'), () => storage.removeAll('jobs/1/')]) {
        const error = await removal().catch((thrown: Error) => thrown);
        expect(error).to.have.property('message', '1 objects not removed, the first for AccessDenied');
      }
    });
    expect([...left]).to.deep.equal(['jobs/1/b']);
  });

  it('has its connection back from whoever reads no further', async () => {
    let closed: Promise<unknown> | undefined;
    const large: RequestListener = (_req, res) => {
      closed = once(res, 'close');
      res.end(Buffer.alloc(50_000_000));
    };
    await whileAnswered(large, async (storage) => {
      for await (const _piece of storage.read('a')) break;
      await closed;
    });
  });

  it('is sent a body as it is, for not every one understands the checksums of Amazon’s own', async () => {
    let sent: { body: string; headers: IncomingHttpHeaders } | undefined;
    const listening: RequestListener = (req, res) => {
      void text(req).then((body) => {
        sent = { body, headers: req.headers };
        res.end();
      });
    };
    await whileAnswered(listening, async (storage) => {
      await storage.put('a', [Buffer.from('as it is')]);
    });
    expect(sent!.body).to.equal('as it is');
    expect(Object.keys(sent!.headers).filter((name) => /checksum|trailer|content-encoding/.test(name))).to.be
      .empty;
  });
});
