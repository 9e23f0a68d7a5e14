import assert from 'node:assert/strict';
import { findDesktop, findOnPath, type Machine } from '../../../scripts/start/findDesktop.mjs';

/** A machine on which just these files can be run. */
function machine(
  platform: NodeJS.Platform,
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Machine {
  const home = platform === 'darwin' ? '/Users/ann' : '/home/ann';
  return { platform, env, home, isExecutable: (file) => files.includes(file) };
}

const windows = {
  PATH: 'C:\\Windows;C:\\Tools',
  LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local',
  ProgramFiles: 'C:\\Program Files',
  'ProgramFiles(x86)': 'C:\\Program Files (x86)',
};

describe('the desktop VS Code that npm start opens', () => {
  it('is the one on PATH, the first there', () => {
    const env = { PATH: '/opt/one:/opt/two' };
    const found = findDesktop(machine('linux', ['/opt/two/code', '/opt/one/code', '/usr/bin/code'], env));
    assert.equal(found, '/opt/one/code');
    assert.equal(findDesktop(machine('win32', ['C:\\Tools\\code.cmd'], windows)), 'C:\\Tools\\code.cmd');
  });

  it('is found where installers put it, though it is not on PATH', () => {
    const places: readonly (readonly [NodeJS.Platform, string])[] = [
      ['linux', '/usr/bin/code'],
      ['linux', '/usr/share/code/bin/code'],
      ['linux', '/snap/bin/code'],
      ['linux', '/usr/share/code-insiders/bin/code-insiders'],
      ['linux', '/snap/bin/codium'],
      ['darwin', '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code'],
      ['darwin', '/Users/ann/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code'],
      ['darwin', '/Applications/Visual Studio Code - Insiders.app/Contents/Resources/app/bin/code'],
      ['darwin', '/Applications/Visual Studio Code - Insiders.app/Contents/Resources/app/bin/code-insiders'],
      ['darwin', '/Applications/VSCodium.app/Contents/Resources/app/bin/codium'],
      ['win32', 'C:\\Users\\ann\\AppData\\Local\\Programs\\Microsoft VS Code\\bin\\code.cmd'],
      ['win32', 'C:\\Program Files\\Microsoft VS Code\\bin\\code.cmd'],
      ['win32', 'C:\\Program Files (x86)\\Microsoft VS Code\\bin\\code.cmd'],
      ['win32', 'C:\\Program Files\\Microsoft VS Code Insiders\\bin\\code-insiders.cmd'],
      ['win32', 'C:\\Users\\ann\\AppData\\Local\\Programs\\VSCodium\\bin\\codium.cmd'],
    ];
    for (const [platform, place] of places) {
      const env = platform === 'win32' ? windows : { PATH: '/bin' };
      assert.equal(findDesktop(machine(platform, [place], env)), place);
    }
  });

  it('is Code before Insiders, and Insiders before VSCodium, wherever they are', () => {
    const env = { PATH: '/opt/bin' };
    const all = ['/opt/bin/codium', '/opt/bin/code-insiders', '/snap/bin/code'];
    assert.equal(findDesktop(machine('linux', all, env)), '/snap/bin/code');
    assert.equal(findDesktop(machine('linux', all.slice(0, 2), env)), '/opt/bin/code-insiders');
    assert.equal(findDesktop(machine('linux', all.slice(0, 1), env)), '/opt/bin/codium');
  });

  it('is none where there is none, and no place is looked at that the environment does not name', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const looked: string[] = [];
      const empty = { ...machine(platform, []), isExecutable: (file: string) => looked.push(file) < 0 };
      assert.equal(findDesktop(empty), undefined);
      assert.deepEqual(
        looked.filter((file) => file.includes('undefined') || !/^(?:\/|[A-Z]:\\)/.test(file)),
        [],
      );
    }
  });
});

describe('a command on PATH', () => {
  it('is looked for in each folder, and in no empty one', () => {
    const env = { PATH: ':/usr/local/bin:/usr/bin' };
    assert.equal(findOnPath('xdg-open', machine('linux', ['xdg-open'], env)), undefined);
    const files = ['/usr/bin/xdg-open'];
    assert.equal(findOnPath('xdg-open', machine('linux', files, env)), '/usr/bin/xdg-open');
  });
});
