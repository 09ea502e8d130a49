import { expect } from 'chai';
import { redisProgram } from '../../launcher/redis-program.ts';
import { machine } from '../support/machine.ts';

const silent = () => undefined;

describe('redisProgram', () => {
  it('takes a server that is there and runs nothing', () => {
    const there = machine({ programs: ['valkey-server', 'apt-get'] });
    expect(redisProgram(silent, there)).to.equal('/usr/bin/valkey-server');
    expect(there.ran).to.deep.equal([]);
  });

  it('installs it as root, saying so first', () => {
    const bare = machine({ programs: ['apt-get'] });
    const said: string[] = [];
    expect(redisProgram((line) => said.push(line), bare)).to.equal('/usr/bin/redis-server');
    expect(said[0]).to.equal('Redis is missing: installing it with "apt-get install -y redis-server"');
  });

  it('fetches the package lists when they are missing or stale', () => {
    const fresh = machine({ programs: ['apt-get'], failing: { install: 1 } });
    redisProgram(silent, fresh);
    expect(fresh.ran.map((command) => /update|install/.exec(command)?.[0]).filter(Boolean)).to.deep.equal([
      'install',
      'update',
      'install',
    ]);
  });

  it('waits for another installation that holds the lock of dpkg, instead of failing at once', () => {
    const shared = machine({ programs: ['apt-get'] });
    redisProgram(silent, shared);
    const command = shared.ran.find((each) => each.includes(' install ')) ?? '';
    expect(command).to.match(/ apt-get -o DPkg::Lock::Timeout=\d{2,} install -y redis-server$/);
  });

  it('stops the packaged service that systemd started with the installation', () => {
    const booted = machine({ programs: ['apt-get', 'systemctl'] });
    redisProgram(silent, booted);
    expect(booted.ran).to.include('systemctl disable --now redis-server');
  });

  it('uses sudo only where it asks for no password', () => {
    const allowed = machine({ programs: ['apt-get'], root: false });
    redisProgram(silent, allowed);
    expect(allowed.ran.filter((command) => command.includes('install'))[0]).to.match(/^sudo -n /);
    const asking = machine({ programs: ['apt-get'], root: false, failing: { 'sudo -n true': 1 } });
    expect(() => redisProgram(silent, asking)).to.throw('Type:  sudo apt-get install -y redis-server');
    expect(asking.ran).to.deep.equal(['sudo -n true']);
  });

  it('says what to do where it cannot install, and what apt said where it failed', () => {
    expect(() => redisProgram(silent, machine({ programs: [], debian: false }))).to.throw('or set REDIS_URL');
    const offline = machine({ programs: ['apt-get'], failing: { install: 2 } });
    expect(() => redisProgram(silent, offline)).to.throw(/Type:  apt-get install -y redis-server[^]*E: no/);
  });
});
