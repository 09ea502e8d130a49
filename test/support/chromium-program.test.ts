import { expect } from 'chai';
import { chromiumProgram } from './chromium-program.ts';
import { machine } from './machine.ts';

const silent = () => undefined;

describe('chromiumProgram', () => {
  it('takes what CHROMIUM_PATH names, and fails where that is not there', () => {
    const bare = machine({ programs: ['apt-get'] });
    expect(chromiumProgram({ CHROMIUM_PATH: process.execPath }, silent, bare)).to.equal(process.execPath);
    expect(() => chromiumProgram({ CHROMIUM_PATH: '/nowhere/chromium' }, silent, bare)).to.throw(
      'CHROMIUM_PATH names /nowhere/chromium, which is not there',
    );
    expect(bare.ran).to.deep.equal([]);
  });

  it('takes the one of the machine, its headless shell where both are there', () => {
    const found = (...programs: string[]) => chromiumProgram({}, silent, machine({ programs }));
    expect(found('chromium')).to.equal('/usr/bin/chromium');
    expect(found('chromium', 'chromium-headless-shell')).to.equal('/usr/bin/chromium-headless-shell');
  });

  it('installs it as root on Debian, saying so first', () => {
    const bare = machine({ programs: ['apt-get'] });
    const said: string[] = [];
    expect(chromiumProgram({}, (line) => said.push(line), bare)).to.equal('/usr/bin/chromium-headless-shell');
    expect(said).to.deep.equal([
      'Chromium is missing: installing it with "apt-get install -y chromium-headless-shell"',
      'installed /usr/bin/chromium-headless-shell',
    ]);
  });

  it('says what to do where it may not', () => {
    const asking = machine({ programs: ['apt-get'], root: false, failing: { 'sudo -n true': 1 } });
    expect(() => chromiumProgram({}, silent, asking)).to.throw(
      'Chromium is missing. Type:  sudo apt-get install -y chromium-headless-shell\nor set CHROMIUM_PATH',
    );
  });
});
