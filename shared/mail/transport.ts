/** Where mail goes: an SMTP server, or a folder that a developer reads. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { RenderedMail } from './message.ts';

export interface MailTransport {
  /** @param id of the mail, the same at each attempt. @throws what the server answered. */
  send(id: string, mail: RenderedMail): Promise<void>;
  close(): void;
}

export interface MailTransportOptions {
  /** null writes to `folder`. */
  smtpUrl: string | null;
  folder: string;
  from: string;
}

export const createMailTransport = (options: MailTransportOptions): MailTransport =>
  options.smtpUrl === null ? folderTransport(options) : smtpTransport(options.smtpUrl, options.from);

const SENDER = /^([^<]*)<([^<>]+)>$/;

/** Taken apart here: to the library a colon in the name begins a group of senders, and what is in brackets is a comment. */
function senderOf(from: string): { name: string; address: string } {
  const [, name = '', address = from] = SENDER.exec(from) ?? [];
  const [, quoted] = /^"(.*)"$/.exec(name.trim()) ?? [];
  return { name: quoted?.replaceAll(/\\(.)/g, '$1') ?? name.trim(), address };
}

function smtpTransport(url: string, given: string): MailTransport {
  const from = senderOf(given);
  // A server that looks for viruses before it answers has the mail by then: whoever does not wait sends it again (RFC 5321 §4.5.3.2.6).
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 120_000 };
  const transport = createTransport({ url, ...timeouts }, { from });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    async send(id, { unsubscribeUrl, ...mail }) {
      // The same Message-ID at each attempt: a receiver that got it twice can tell.
      await transport.sendMail({
        ...mail,
        ...(unsubscribeUrl === undefined ? {} : { list: { unsubscribe: { url: unsubscribeUrl } } }),
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
    close: () => transport.close(),
  };
}

/** Two files a mail, `<id>.txt` with the headers and `<id>.html`; ids sort by time. */
function folderTransport({ folder, from }: MailTransportOptions): MailTransport {
  const write = async (name: string, content: string) => {
    // Written beside and renamed, so that a reader never sees half a mail.
    await writeFile(path.join(folder, `.${name}`), content, { mode: 0o600 });
    await rename(path.join(folder, `.${name}`), path.join(folder, name));
  };
  return {
    async send(id, { to, subject, text, html }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await write(`${id}.html`, html);
      await write(`${id}.txt`, `From: ${from}\nTo: ${to}\nSubject: ${subject}\n\n${text}`);
    },
    close: () => undefined,
  };
}
