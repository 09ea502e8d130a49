import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { expect } from 'chai';
import { SMTPServer } from 'smtp-server';
import { withTransaction } from '../../../shared/db.ts';
import { postMail } from '../../../shared/mail/outbox.ts';
import { RETRY_DELAYS_SECONDS, sendDueMails } from '../../../shared/mail/sending.ts';
import { createMailTransport, type MailTransport } from '../../../shared/mail/transport.ts';
import { sendMail } from '../../../workers/send-mail/processor.ts';
import { sweep } from '../../../workers/sweep/sweep.ts';
import type { WorkerDeps } from '../../../workers/deps.ts';
import { createPeopleApi, type PeopleApi } from '../../support/people-api.ts';
import { makeScratch } from '../../support/scratch.ts';

describe('The mail outbox', () => {
  let api: PeopleApi;
  beforeEach(async () => {
    api = await createPeopleApi();
  });
  afterEach(() => api.close());

  const post = (to = 'ana@example.com') =>
    withTransaction(api.deps.db, (uow) =>
      postMail(api.deps, uow, 'test', to, {
        subject: 'Olá',
        paragraphs: ['A “line”.'],
        action: { label: 'Go', url: 'https://verify.example.com/account/x#token=abc' },
      }),
    );
  const rows = async () =>
    (
      await api.database.pool.query<Record<string, unknown>>(
        'select state, attempts, due_at, sealed is null as emptied, last_error from mails order by id',
      )
    ).rows;
  const sending = (mailTransport: MailTransport) => ({ ...api.deps, mailTransport, leaseSeconds: 60 });
  const failing = (error: object): MailTransport => ({
    send: async () => {
      throw Object.assign(new Error('refused'), error);
    },
    close: () => undefined,
  });

  it('writes a mail with its reason or not at all', async () => {
    await withTransaction(api.deps.db, async (uow) => {
      await postMail(api.deps, uow, 'test', 'ana@example.com', { subject: 'x', paragraphs: [] });
      throw new Error('the reason failed');
    }).catch(() => undefined);
    expect(await rows()).to.deep.equal([]);
  });

  it('throws the content away once it is sent', async () => {
    await post();
    expect((await api.mails()).map(({ to }) => to)).to.deep.equal(['ana@example.com']);
    expect(await rows()).to.deep.equal([
      { state: 'sent', attempts: 1, due_at: api.clock.now(), emptied: true, last_error: null },
    ]);
  });

  it('tries again after 10 seconds, then later and later, and gives up in the end', async () => {
    await post();
    for (const [index, delay] of RETRY_DELAYS_SECONDS.entries()) {
      expect(await sendDueMails(sending(failing({ code: 'ECONNECTION' })))).to.deep.equal({
        sent: 0,
        failed: 1,
      });
      const [row] = await rows();
      expect(row).to.include({ state: 'pending', attempts: index + 1, last_error: 'refused' });
      expect(row!['due_at']).to.deep.equal(new Date(api.clock.now().getTime() + delay * 1000));
      expect(await sendDueMails(sending(failing({})))).to.deep.equal({ sent: 0, failed: 0 });
      api.clock.advance(delay);
    }
    await sendDueMails(sending(failing({ code: 'ECONNECTION' })));
    expect((await rows())[0]).to.include({ state: 'failed', emptied: true });
  });

  it('does not try again what the server refused for good', async () => {
    await post();
    await sendDueMails(sending(failing({ code: 'EENVELOPE', responseCode: 550 })));
    expect((await rows())[0]).to.include({ state: 'failed', attempts: 1 });
  });

  it('is sent by the next worker when one dies in between, and settled by nobody who lost the lease', async () => {
    await post();
    let release: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (release = resolve));
    const slow = sendDueMails(sending({ send: () => stuck, close: () => undefined }));
    const claimed = async () => ((await rows())[0]!['attempts'] as number) === 1;
    while (!(await claimed()));
    expect(await api.mails()).to.deep.equal([]);
    api.clock.advance(61);
    expect(await api.mails()).to.have.length(1);
    release();
    await slow;
    expect((await rows())[0]).to.include({ state: 'sent', attempts: 2 });
  });

  it('is found by the sweeper when its wake-up was lost', async () => {
    await post();
    await api.deps.queues['send-mail'].obliterate({ force: true });
    await sweep(api.deps);
    expect(await api.deps.queues['send-mail'].count()).to.equal(1);
  });

  it('is worked through by the queue’s processor, which asks to be woken for what comes later', async () => {
    await post();
    await post('rui@example.com');
    const attempts: string[] = [];
    const mailTransport: MailTransport = {
      send: async (_id, { to }) => {
        attempts.push(to);
        if (to === 'rui@example.com') throw new Error('not now');
      },
      close: () => undefined,
    };
    const laterMs: number[] = [];
    const waker = { ...api.deps.waker, sendMailLater: async (ms: number) => void laterMs.push(ms) };
    const deps = { ...api.deps, waker, mailTransport, stopping: new AbortController().signal };
    const result = await sendMail(deps as unknown as WorkerDeps)();
    expect(result).to.deep.equal({ sent: 1, failed: 1 });
    expect(attempts).to.deep.equal(['ana@example.com', 'rui@example.com']);
    expect(laterMs).to.deep.equal([10_000]);
  });

  it('goes through SMTP as text and HTML', async () => {
    const received: { to: string[]; content: string }[] = [];
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, session, done) => {
        // Read now: the session forgets its envelope when the message ends.
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const keep = (content: string) => received.push({ to, content });
        void readAll(stream).then(keep);
        stream.on('end', () => done());
      },
    });
    smtp.listen(0, '127.0.0.1');
    await once(smtp.server, 'listening');
    const { port } = smtp.server.address() as AddressInfo;
    const transport = createMailTransport({
      smtpUrl: `smtp://127.0.0.1:${port}`,
      folder: '/nowhere',
      from: 'Touchstone <no-reply@example.com>',
    });
    try {
      await post();
      expect(await sendDueMails(sending(transport))).to.deep.equal({ sent: 1, failed: 0 });
    } finally {
      transport.close();
      await new Promise<void>((resolve) => smtp.close(resolve));
    }
    expect(received[0]!.to).to.deep.equal(['ana@example.com']);
    expect(received[0]!.content)
      .to.match(/^From: Touchstone <no-reply@example.com>/m)
      .and.to.include('multipart/alternative')
      .and.to.include('text/plain')
      .and.to.include('text/html');
  });

  it('goes into files where there is no SMTP server, each link on a line of its own', async () => {
    const scratch = makeScratch();
    try {
      const transport = createMailTransport({
        smtpUrl: null,
        folder: `${scratch.folder}/mail`,
        from: 'x@example.com',
      });
      await post();
      await sendDueMails(sending(transport));
      const files = readdirSync(`${scratch.folder}/mail`).sort();
      expect(files.map((file) => file.split('.').at(-1))).to.deep.equal(['html', 'txt']);
      const content = readFileSync(`${scratch.folder}/mail/${files[1]!}`, 'utf8');
      expect(content).to.include('To: ana@example.com\nSubject: Olá\n');
      expect(content.split('\n')).to.include('https://verify.example.com/account/x#token=abc');
    } finally {
      scratch.remove();
    }
  });
});
