import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { parseProcfile } from '../../launcher/procfile.ts';
import { packageRoot } from '../../shared/package-root.ts';

interface Service {
  build?: unknown;
  image?: string;
  command?: string[];
  logging?: { driver?: string };
  healthcheck?: { disable?: boolean; test?: string[] };
}

const read = (name: string): string => readFileSync(path.join(packageRoot, name), 'utf8');
/** As Compose reads it: the merge keys (`<<`) are YAML 1.1, and `$$` is one `$`. */
const readServices = (): Record<string, Service> =>
  (
    load(read('compose.yaml').replaceAll('$$', '$'), { schema: YAML11_SCHEMA }) as {
      services: Record<string, Service>;
    }
  ).services;

/** The exit code of a check that asks a process on this port, which answers with this status. */
async function outcomeOf([program, ...args]: string[], portName: string, status: number): Promise<number> {
  const server = createServer((req, res) => res.writeHead(req.url === '/healthz' ? status : 404).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [code] = (await once(
    spawn(program!, args, { env: { PATH: process.env.PATH, [portName]: String(port) }, stdio: 'inherit' }),
    'exit',
  )) as [number];
  server.close();
  return code;
}

describe('containers', () => {
  const processes = parseProcfile(read('Procfile'));

  it('run the very commands of the Procfile', () => {
    const services = readServices();
    for (const { name, command } of processes)
      expect(services[name]?.command?.join(' '), name).to.equal(command);
    const web = processes.find(({ name }) => name === 'web')!.command;
    expect(read('Dockerfile')).to.include(`\nCMD ${JSON.stringify(web.split(' ')).replaceAll(',', ', ')}\n`);
  });

  it('keep their secrets out of the repository and of the image', () => {
    for (const file of ['.gitignore', '.dockerignore'])
      expect(read(file).split('\n'), file).to.include('.env');
  });

  it('are known outside by the port that is published', () => {
    const compose = read('compose.yaml');
    const [, port] = /- 127\.0\.0\.1:(\$\{PORT:-\d+\}):3000$/m.exec(compose) ?? [];
    expect(compose).to.include(`PUBLIC_URL: \${PUBLIC_URL:-http://localhost:${port}}\n`);
  });

  it('are of one image, which one of them builds', () => {
    const ours = Object.entries(readServices()).filter(([name]) => processes.some((it) => it.name === name));
    for (const [name, { image }] of ours) expect(image, name).to.equal('touchstone');
    expect(ours.filter(([, { build }]) => build !== undefined).map(([name]) => name)).to.eql(['release']);
  });

  it('are healthy while their process says that it is', async () => {
    const [, ofImage] = /^HEALTHCHECK .*\n\s+CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
    const checks = { image: { portName: 'PORT', command: JSON.parse(ofImage!) as unknown[] } };
    const ofWorkers = Object.entries(readServices())
      .filter(([name]) => name.startsWith('worker-'))
      .map(([name, { healthcheck }]) => {
        const [kind, ...command] = healthcheck?.test ?? [];
        expect(kind, name).to.equal('CMD');
        return [name, { portName: 'METRICS_PORT', command }] as const;
      });
    for (const [name, { portName, command }] of [...Object.entries(checks), ...ofWorkers]) {
      // A mapping among them, which an unquoted colon makes, and Compose refuses the whole file.
      for (const word of command) expect(word, name).to.be.a('string');
      expect(await outcomeOf(command as string[], portName, 200), name).to.equal(0);
      expect(await outcomeOf(command as string[], portName, 503), name).to.equal(1);
    }
  });

  it('fill no disk with what they write: the driver turns its files over', () => {
    for (const [name, { logging }] of Object.entries(readServices()))
      expect(logging?.driver, name).to.equal('local');
  });

  it('are given longer to stop than their processes take at most', () => {
    const [, seconds] = /stop_grace_period: (\d+)s/.exec(read('compose.yaml')) ?? [];
    for (const main of ['api/main.ts', 'workers/main.ts']) {
      const [, graceMs] = /GRACE_MS = ([\d_]+)/.exec(read(main)) ?? [];
      expect(Number(seconds) * 1000, main).to.be.above(Number(graceMs?.replaceAll('_', '')));
    }
  });
});
