import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode, type Answer, type Packet } from 'dns-packet';

/** What a name is answered with: the texts of its TXT records, each cut into pieces of 255 bytes; or a failure of the server. */
export type Zone = Map<string, readonly string[] | 'SERVFAIL' | 'SILENT'>;

export interface NameServer {
  /** `127.0.0.1:port` */
  address: string;
  /** By name in small letters; what is not in it does not exist. */
  zone: Zone;
  /** Names that were asked for, in order. */
  asked: string[];
  close(): Promise<void>;
}

const RCODES = { SERVFAIL: 2, NXDOMAIN: 3 };

function answerTo(query: Packet, zone: Zone, asked: string[]): Buffer | null {
  const [question] = query.questions ?? [];
  const name = question!.name.toLowerCase();
  asked.push(name);
  const found = zone.get(name);
  if (found === 'SILENT') return null;
  const rcode = found === 'SERVFAIL' ? RCODES.SERVFAIL : found === undefined ? RCODES.NXDOMAIN : 0;
  const texts = Array.isArray(found) ? (found as readonly string[]) : [];
  const answers: Answer[] = texts.map((text) => ({
    type: 'TXT',
    class: 'IN',
    name: question!.name,
    ttl: 1,
    data: text.match(/.{1,255}/gs)!,
  }));
  // Recursion available, recursion desired; the code of the answer in the lowest bits.
  return encode({
    type: 'response',
    id: query.id!,
    flags: 0x180 | rcode,
    questions: query.questions!,
    answers,
  });
}

/** A real name server on loopback, over UDP. */
export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  const zone: Zone = new Map();
  const asked: string[] = [];
  socket.on('message', (message, from) => {
    const answer = answerTo(decode(message), zone, asked);
    if (answer !== null) socket.send(answer, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
