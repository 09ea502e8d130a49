import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { expect } from 'chai';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { withTransaction } from '../../../shared/db.ts';
import type { Message } from '../../../shared/mail/message.ts';
import { postMail } from '../../../shared/mail/outbox.ts';
import { RETRY_DELAYS_SECONDS, sendDueMails } from '../../../shared/mail/sending.ts';
import { createMailTransport, type MailTransport } from '../../../shared/mail/transport.ts';
import { sendMail } from '../../../workers/send-mail/processor.ts';
import { sweep } from '../../../workers/sweep/sweep.ts';
import type { WorkerDeps } from '../../../workers/deps.ts';
import { eventually } from '../../support/eventually.ts';
import { createPeopleApi, type PeopleApi } from '../../support/people-api.ts';
import { makeScratch } from '../../support/scratch.ts';

describe('The mail outbox', () => {
  let api: PeopleApi;
  beforeEach(async () => {
    api = await createPeopleApi();
  });
  afterEach(() => api.close());

  const post = (
    to = 'ana@example.com',
    expiresAt: Date | null = null,
    more: Partial<Message> = {},
    kind = 'test',
  ) =>
    withTransaction(api.deps.db, (uow) =>
      postMail(
        api.deps,
        uow,
        kind,
        to,
        {
          language: 'en',
          subject: 'Olá',
          paragraphs: ['A “line”.'],
          action: { label: 'Go', url: 'https://verify.example.com/account/x#token=abc' },
          ...more,
        },
        { expiresAt },
      ),
    );
  const inSeconds = (seconds: number) => new Date(api.clock.now().getTime() + seconds * 1000);
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
      await postMail(api.deps, uow, 'test', 'ana@example.com', {
        language: 'en',
        subject: 'x',
        paragraphs: [],
      });
      throw new Error('the reason failed');
    }).catch(() => undefined);
    expect(await rows()).to.deep.equal([]);
  });

  it('sends summaries of weeks after what is posted while they wait', async () => {
    await post('a@example.com', null, {}, 'summary');
    await post('b@example.com', null, {}, 'summary');
    api.clock.advance(1_000);
    await post('ana@example.com', inSeconds(3_600));
    const to: string[] = [];
    const mailTransport = {
      send: async (_id: string, mail: { to: string }) => void to.push(mail.to),
      close: () => undefined,
    };
    while ((await sendDueMails(sending(mailTransport))).sent > 0);
    expect(to).to.deep.equal(['ana@example.com', 'a@example.com', 'b@example.com']);
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

  it('tells the log of each attempt that failed, and of a mail that is given up', async () => {
    await post();
    await sendDueMails(sending(failing({ code: 'ECONNECTION' })));
    expect(api.logs.join('')).to.match(
      /"kind":"test","attempt":1,"reason":"refused".*a mail could not be sent/,
    );
    expect(api.logs.join('')).not.to.include('ana@example.com');
    api.clock.advance(RETRY_DELAYS_SECONDS[0]);
    await sendDueMails(sending(failing({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 })));
    expect(api.logs.join('')).to.match(/"kind":"test","attempt":2,"reason":"refused".*a mail was given up/);
  });

  it('tries a link of an hour often enough while it works, and never sends one that does not', async () => {
    await post('ana@example.com', inSeconds(3600));
    const begun = api.clock.now().getTime();
    const waits: number[] = [];
    for (;;) {
      await sendDueMails(sending(failing({ code: 'ECONNECTION' })));
      const row = (await rows())[0] as { state: string; due_at: Date };
      if (row.state !== 'pending') break;
      waits.push((row.due_at.getTime() - api.clock.now().getTime()) / 60_000);
      api.clock.advance((row.due_at.getTime() - api.clock.now().getTime()) / 1000);
    }
    expect(waits.length).to.be.within(RETRY_DELAYS_SECONDS.length, 25);
    expect(Math.max(...waits)).to.be.below(15);
    expect(api.clock.now().getTime() - begun).to.be.within(57 * 60_000, 60 * 60_000);

    await post('rui@example.com', inSeconds(59));
    expect(await api.mails()).to.deep.equal([]);
    expect((await rows()).at(-1)).to.include({
      state: 'failed',
      emptied: true,
      last_error: 'its link had expired, or was about to, before it could be sent',
    });
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

  it('is neither given up nor put off by who lost the lease while the next one sends it', async () => {
    for (const error of [{}, { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }]) {
      const sends: { resolve(): void; reject(error: Error): void }[] = [];
      const transport: MailTransport = {
        send: () => new Promise((resolve, reject) => void sends.push({ resolve, reject })),
        close: () => undefined,
      };
      const begin = async (nth: number) => {
        const sent = sendDueMails(sending(transport));
        await eventually(`sender ${nth}`, async () => sends.length === nth);
        return { sent };
      };
      await post();
      const first = await begin(1);
      api.clock.advance(61);
      const second = await begin(2);
      sends[0]!.reject(Object.assign(new Error('refused'), error));
      await first.sent;
      api.clock.advance(30);
      expect(await api.mails(), 'nobody else sends it, too').to.deep.equal([]);
      sends[1]!.resolve();
      await second.sent;
      expect((await rows()).at(-1)).to.include({ state: 'sent', attempts: 2, last_error: null });
    }
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

  /** Sends what is due to a server of that protocol. */
  async function throughSmtp(answers: SMTPServerOptions, from = 'Touchstone <no-reply@example.com>') {
    const smtp = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], ...answers });
    smtp.listen(0, '127.0.0.1');
    await once(smtp.server, 'listening');
    const { port } = smtp.server.address() as AddressInfo;
    const transport = createMailTransport({
      smtpUrl: `smtp://127.0.0.1:${port}`,
      folder: '/nowhere',
      from,
    });
    try {
      return await sendDueMails(sending(transport));
    } finally {
      transport.close();
      await new Promise<void>((resolve) => smtp.close(resolve));
    }
  }
  const refusal = () => Object.assign(new Error('5.7.1 refused'), { responseCode: 553 });

  it('does not try again where the server refuses the recipient for good', async () => {
    await post();
    await throughSmtp({ onRcptTo: (_address, _session, done) => done(refusal()) });
    expect((await rows())[0]).to.include({ state: 'failed', attempts: 1 });
  });

  it('keeps nowhere whom a server quotes as it refuses them', async () => {
    const quoting = (quoted: string) =>
      Object.assign(new Error(`5.1.1 <${quoted}>: Recipient address rejected: ${quoted}`), {
        responseCode: 550,
      });
    for (const [to, quoted] of [
      ['ana+1.x@example.com', 'ana+1.x@example.com'],
      ['bruno@example.com', 'Bruno@EXAMPLE.com'],
      ['carla@münchen.example', 'carla@xn--mnchen-3ya.example'],
    ] as const) {
      await post(to);
      await throughSmtp({ onRcptTo: (_address, _session, done) => done(quoting(quoted)) });
      const row = (await rows()).at(-1)!;
      expect(row).to.include({ state: 'failed', attempts: 1 });
      expect(row['last_error']).to.include(
        '550 5.1.1 <[recipient]>: Recipient address rejected: [recipient]',
      );
    }
    expect(api.logs.join('')).to.match(/a mail was given up/);
    expect(api.logs.join('')).not.to.match(/ana\+1|bruno|carla|chen/i);
  });

  it('waits where the server refuses the sender: the operator mends that', async () => {
    await post();
    await throughSmtp({ onMailFrom: (_address, _session, done) => done(refusal()) });
    expect((await rows())[0]).to.include({ state: 'pending', attempts: 1, emptied: false });
  });

  async function received(from?: string) {
    const mails: { to: string[]; content: string }[] = [];
    const onData: SMTPServerOptions['onData'] = (stream, session, done) => {
      // Read now: the session forgets its envelope when the message ends.
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const keep = (content: string) => mails.push({ to, content });
      void readAll(stream).then(keep);
      stream.on('end', () => done());
    };
    const sent = await throughSmtp({ onData }, from);
    expect(sent).to.deep.equal({ sent: 1, failed: 0 });
    return mails[0]!;
  }

  it('goes through SMTP as text and HTML', async () => {
    await post();
    const { to, content } = await received();
    expect(to).to.deep.equal(['ana@example.com']);
    expect(content)
      .to.match(/^From: Touchstone <no-reply@example.com>/m)
      .and.to.include('multipart/alternative')
      .and.to.include('text/plain')
      .and.to.include('text/html')
      .and.not.to.match(/^List-/m);
  });

  it('has its sender’s whole name, whatever signs are in it', async () => {
    for (const [from, header] of [
      ['Acme: Europe <no-reply@acme.example>', '"Acme: Europe" <no-reply@acme.example>'],
      ['Acme (Europe) <no-reply@acme.example>', '"Acme (Europe)" <no-reply@acme.example>'],
      ['"Acme, Inc." <no-reply@acme.example>', '"Acme, Inc." <no-reply@acme.example>'],
      ['Team@Acme <no-reply@acme.example>', '"Team@Acme" <no-reply@acme.example>'],
      ['no-reply@acme.example', 'no-reply@acme.example'],
    ] as const) {
      await post();
      const { content } = await received(from);
      expect(content.split('\r\n')).to.include(`From: ${header}`);
      expect(content).to.match(/^Message-ID: <[0-9a-f-]+@acme\.example>\r$/m);
    }
  });

  it('names the page on which its reader has it no more, where it comes again and again', async () => {
    const unsubscribeUrl = 'https://verify.example.com/app/settings/account';
    await post(undefined, null, { unsubscribeUrl });
    expect((await received()).content).to.match(
      /^List-Unsubscribe: <https:\/\/verify\.example\.com\/app\/settings\/account>\r$/m,
    );
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
