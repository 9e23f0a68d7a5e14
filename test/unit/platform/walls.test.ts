import assert from 'node:assert/strict';
import { bubblewrapOptions, relayOptions } from '../../../src/host/walls/bubblewrapOptions.ts';
import { seatbeltProfile } from '../../../src/host/walls/seatbeltProfile.ts';
import { socketFilter } from '../../../src/host/walls/socketFilter.ts';
import { shellWord, startScript } from '../../../src/host/walls/startScript.ts';
import { foldersAbove, isAtOrBelow, type Walls } from '../../../src/host/walls/walls.ts';

const walls: Walls = {
  readable: ['/usr', '/repo'],
  links: [['/bin', 'usr/bin']],
  writable: ['/repo/app'],
  kept: ['/repo/app/.git', '/repo/app/a/b/package.json'],
  held: ['/repo/app/.vscode'],
  hiddenFiles: ['/repo/app/.env'],
  hiddenFolders: ['/repo/app/secrets'],
  temporary: '/private/x "y"',
};

describe('walls', () => {
  it('have folders above what is kept, up to those that may be written', () => {
    assert.deepEqual([...foldersAbove(walls)].sort(), ['/repo/app/a', '/repo/app/a/b']);
    assert.ok(isAtOrBelow('/a', '/a/b') && isAtOrBelow('/a', '/a') && isAtOrBelow('/', '/a'));
    assert.ok(!isAtOrBelow('/a', '/ab') && !isAtOrBelow('/a/b', '/a'));
  });

  it('are options of bubblewrap, each place after those above it, and the last word is the stricter one', () => {
    const options = bubblewrapOptions(walls, { unreadable: '/unreadable', hasRelay: false });
    const at = (...wanted: string[]): number => {
      const found = options.findIndex((_, index) =>
        wanted.every((each, offset) => options[index + offset] === each),
      );
      assert.notEqual(found, -1, wanted.join(' '));
      return found;
    };
    const order = [
      at('--symlink', 'usr/bin', '/bin'),
      at('--bind', '/private/x "y"', '/tmp'),
      at('--ro-bind-try', '/repo', '/repo'),
      at('--bind', '/repo/app', '/repo/app'),
      at('--bind-try', '/repo/app/a', '/repo/app/a'),
      at('--bind-try', '/repo/app/a/b', '/repo/app/a/b'),
      at('--ro-bind-try', '/repo/app/a/b/package.json', '/repo/app/a/b/package.json'),
      at('--remount-ro', '/'),
    ];
    assert.ok(at('--proc', '/proc') < at('--ro-bind-try', '/proc/sys', '/proc/sys'));
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
    at('--ro-bind-try', '/repo/app/.git', '/repo/app/.git');
    at('--ro-bind', '/unreadable', '/repo/app/.env');
    at('--perms', '0000', '--tmpfs', '/repo/app/secrets');
    for (const each of ['--unshare-net', '--unshare-pid', '--unshare-user', '--die-with-parent']) at(each);
    at('--ro-bind-try', '/repo/app/.vscode', '/repo/app/.vscode');
    const strict = bubblewrapOptions(
      { ...walls, hiddenFiles: ['/repo/app/.git'] },
      { unreadable: '/unreadable', hasRelay: true },
    );
    // Its network is that of what is around it.
    assert.ok(!strict.includes('--unshare-net') && relayOptions.includes('--unshare-net'));
    assert.ok(strict.includes('HTTPS_PROXY') && !options.includes('HTTPS_PROXY'));
    assert.ok(
      !strict.some((each, index) => each === '--ro-bind-try' && strict[index + 1] === '/repo/app/.git'),
    );
  });

  it('are a profile of macOS, where what is forbidden comes last and quotes end no text', () => {
    const profile = seatbeltProfile(walls);
    const order = [
      '(deny default)',
      '(allow file-read*\n  (literal "/")\n  (subpath "/usr")',
      '(allow file-write*\n  (subpath "/repo/app")\n  (subpath "/private/x \\"y\\"")',
      '(deny file-write*\n  (regex #"/\\.git(/|$)")\n  (subpath "/repo/app/.git")',
      '(deny file-write-unlink\n  (literal "/repo/app/a/b")',
      '(deny file-read* file-write*\n  (subpath "/repo/app/.env")\n  (subpath "/repo/app/secrets")',
      '(deny network*)',
    ].map((each) => {
      const found = profile.indexOf(each);
      assert.notEqual(found, -1, `${each} in\n${profile}`);
      return found;
    });
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
  });

  it('leave only sockets of the network, on the machines that are known', () => {
    for (const [machine, audit, socket] of [
      ['x64', 0xc000_003e, 41],
      ['arm64', 0xc000_00b7, 198],
    ] as const) {
      const filter = socketFilter(machine);
      assert.ok(filter);
      const ask = (call: number, first = 0, second = 0, architecture: number = audit): number =>
        runFilter(filter, { call, architecture, first, second });
      for (const family of [2, 10, 16]) assert.equal(ask(socket, family), ALLOWED);
      for (const family of [1, 17, 38, 40]) assert.equal(ask(socket, family), REFUSED);
      assert.equal(ask(socket, 2, 0, 0x4000_0003), REFUSED, 'another architecture');
      const ioctl = machine === 'x64' ? 16 : 29;
      assert.deepEqual([ask(ioctl, 0, 0x5412), ask(ioctl, 0, 0x5413)], [REFUSED, ALLOWED]);
      const clone = machine === 'x64' ? 56 : 220;
      assert.deepEqual([ask(clone, 0x1000_0000), ask(clone, 0x11)], [REFUSED, ALLOWED]);
      assert.deepEqual([ask(435), ask(425)], [MISSING, MISSING]);
      assert.equal(ask(1), ALLOWED);
    }
    assert.equal(socketFilter('mips'), undefined);
  });

  it('are started by a script that takes away what leads out, with words that no shell reads', () => {
    const script = startScript('exec env');
    for (const each of ['SSH_AUTH_SOCK', 'VSCODE_*', '*TOKEN*', '*_KEY'])
      assert.ok(script.includes(each), each);
    assert.ok(script.endsWith('exec env\n'));
    assert.equal(shellWord("it's"), String.raw`'it'\''s'`);
  });
});

const [ALLOWED, REFUSED, MISSING] = [0x7fff_0000, 0x0005_0001, 0x0005_0026];

interface Asked {
  readonly call: number;
  readonly architecture: number;
  readonly first: number;
  readonly second: number;
}

/** As the kernel does. */
function runFilter(program: Uint8Array, { call, architecture, first, second }: Asked): number {
  const view = new DataView(program.buffer);
  const data: Readonly<Record<number, number>> = { 0: call, 4: architecture, 16: first, 24: second };
  let loaded = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = view.getUint16(at * 8, true);
    const [whenTrue, whenFalse] = [view.getUint8(at * 8 + 2), view.getUint8(at * 8 + 3)];
    const value = view.getUint32(at * 8 + 4, true);
    const jump = (isTrue: boolean): void => void (at += isTrue ? whenTrue : whenFalse);
    if (code === 0x20) loaded = data[value] ?? assert.fail(`nothing at ${value}`);
    else if (code === 0x15) jump(loaded === value);
    else if (code === 0x35) jump(loaded >= value);
    // eslint-disable-next-line no-bitwise -- it is about bits
    else if (code === 0x45) jump((loaded & value) !== 0);
    else if (code === 0x06) return value;
    else assert.fail(`no such instruction: ${code}`);
  }
  return assert.fail('it has no end');
}
