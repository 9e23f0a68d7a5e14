import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { NodeSandbox } from '../../../src/host/node/walls/nodeSandbox.ts';
import { isOnPath, usableBubblewrap } from '../../fixtures/shells.ts';
import { WalledWorld } from '../../worlds/walledWorld.ts';

const program = usableBubblewrap();

if (program !== undefined) {
  describe('hosts that a command in the sandbox reaches', function () {
    this.timeout(60_000);
    let world: WalledWorld;
    let served: string;
    let server: Server;
    let port: number;
    const asked: string[] = [];
    before(async () => {
      world = await WalledWorld.create();
      served = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-served-')));
      server = createServer((request, response) => {
        const { host = '' } = request.headers;
        asked.push(`${host.split(':')[0]} ${request.url}`);
        const file = path.join(served, new URL(request.url ?? '', 'http://x').pathname);
        readFile(file).then(
          (content) => {
            response.setHeader('content-type', file.endsWith('/') ? 'text/html' : 'application/octet-stream');
            response.end(content);
          },
          () => response.writeHead(404).end(),
        );
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      port = typeof address === 'object' && address ? address.port : 0;
    });
    after(async () => {
      server.closeAllConnections();
      server.close();
      await rm(served, { recursive: true, force: true });
      await world[Symbol.asyncDispose]();
    });
    beforeEach(() => void (asked.length = 0));

    /** Every name leads to the server of this test, which counts as public unless said otherwise. */
    async function ran(
      command: string,
      allowed: readonly string[],
      mayConnect?: (address: string) => boolean,
    ) {
      const sandbox = new NodeSandbox({
        program,
        home: world.home,
        needsProxy: false,
        addresses: {
          resolve: () => Promise.resolve(['127.0.0.1']),
          ...(mayConnect ? { mayConnect } : {}),
        },
      });
      const wall = await sandbox.wall({
        chatId: 'chat',
        shell: '/bin/bash',
        writable: [uriOf(world.work)],
        readable: [],
        mayReach: ({ origin }) => allowed.includes(origin),
      });
      const ran = await world.run(command.replaceAll('SERVER', String(port)), wall);
      const { made } = await wall.close();
      return { ...ran, made, refused: wall.refusedHosts() };
    }
    const isPublic = (): boolean => true;
    const origin = (name: string, protocol = 'http'): string => `${protocol}://${name}.example.com:${port}`;

    it('are those that are allowed, by name and port, over HTTP and CONNECT', async () => {
      await writeFile(path.join(served, 'page'), 'read\n');
      const fetch = (url: string, options = ''): string => `curl -s ${options} ${url}`;
      const plain = fetch('http://a.example.com:SERVER/page');
      const other = fetch('http://b.example.com:SERVER/page');
      const tunnelled = fetch('http://c.example.com:SERVER/page', '-p');
      const got = await ran(
        `${plain}; ${other}; ${tunnelled}; ${plain} -H "Host: b.example.com"`,
        [origin('a'), origin('c', 'https')],
        isPublic,
      );
      assert.match(
        got.output,
        /^read\nThe sandbox may not reach b\.example\.com:\d+: [^\n]*\nread\nread\n$/u,
      );
      assert.deepEqual(got.refused, [origin('b')]);
      assert.deepEqual(asked, ['a.example.com /page', 'c.example.com /page', 'a.example.com /page']);
      const refused = await ran(`${tunnelled}; echo $?`, [origin('c')], isPublic);
      assert.match(refused.output, /^56\n$/u);
      assert.deepEqual(refused.refused, [origin('c', 'https')]);
    });

    it('are none of this machine or of a private network, whatever is allowed', async () => {
      const privateNames = ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', 'printer.local'];
      const refusedOf = async (names: readonly string[], mayConnect?: () => boolean): Promise<number> => {
        const { output, refused } = await ran(
          names.map((name) => `curl -s --noproxy '' http://${name}:SERVER/page`).join('; '),
          names.map((name) => `http://${name}:${port}`),
          mayConnect,
        );
        assert.deepEqual([asked, refused], [[], []]);
        return output.match(/leads to this machine or to a private network/gu)?.length ?? 0;
      };
      assert.equal(await refusedOf(privateNames, isPublic), privateNames.length, 'by their names');
      assert.equal(await refusedOf(['a.example.com']), 1, 'by where they lead');
    });

    it('are there for npm ci', async () => {
      const folder = path.join(served, 'package');
      await mkdir(folder);
      await writeFile(path.join(folder, 'package.json'), '{ "name": "tiny", "version": "1.0.0" }');
      execFileSync('tar', ['czf', 'tiny.tgz', 'package'], { cwd: served });
      const dependencies = { tiny: '1.0.0' };
      const own = { name: 'own', version: '1.0.0', dependencies };
      await writeFile(path.join(world.work, 'package.json'), JSON.stringify(own));
      await writeFile(
        path.join(world.work, 'package-lock.json'),
        JSON.stringify({
          ...own,
          lockfileVersion: 3,
          packages: {
            '': own,
            'node_modules/tiny': { version: '1.0.0', resolved: `${origin('registry')}/tiny.tgz` },
          },
        }),
      );
      const command = 'npm ci --no-audit --no-fund --fetch-retries=0';
      const refused = await ran(command, [], isPublic);
      assert.notEqual(refused.exitCode, 0);
      assert.deepEqual(refused.refused, [origin('registry')]);
      const { exitCode, output, made } = await ran(command, [origin('registry')], isPublic);
      assert.equal(exitCode, 0, output);
      assert.match(await readFile(path.join(world.work, 'node_modules/tiny/package.json'), 'utf8'), /tiny/u);
      assert.deepEqual(made, []);
    });

    it('are none where this machine reaches them by a proxy alone', async () => {
      const sandbox = new NodeSandbox({ program, home: world.home, needsProxy: true });
      assert.deepEqual([await sandbox.whyNone(), await sandbox.canReachHosts()], [undefined, false]);
    });

    it('are there for git', async () => {
      execFileSync('git', ['clone', '-q', '--bare', world.work, path.join(served, 'own.git')]);
      execFileSync('git', ['update-server-info'], { cwd: path.join(served, 'own.git') });
      const command = 'git ls-remote http://git.example.com:SERVER/own.git';
      const { exitCode, output } = await ran(command, [origin('git')], isPublic);
      assert.equal(exitCode, 0, output);
      assert.match(output, /^[0-9a-f]{40}\tHEAD\n/u);
      assert.deepEqual((await ran(command, [], isPublic)).refused, [origin('git')]);
    });

    if (isOnPath('pip')) {
      it('are there for pip install', async () => {
        const name = 'tiny-1.0-py3-none-any.whl';
        const code = [
          'import zipfile, sys',
          "z = zipfile.ZipFile(sys.argv[1], 'w')",
          "z.writestr('tiny.py', 'x = 1')",
          "z.writestr('tiny-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n')",
          "z.writestr('tiny-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')",
          "z.writestr('tiny-1.0.dist-info/RECORD', 'tiny.py,,\\ntiny-1.0.dist-info/METADATA,,\\ntiny-1.0.dist-info/WHEEL,,\\ntiny-1.0.dist-info/RECORD,,\\n')",
          'z.close()',
        ].join('\n');
        execFileSync('python3', ['-c', code, path.join(served, name)]);
        const link = `http://files.example.com:${port}/${name}`;
        const command = `"$(python3 -c 'import sys; print(sys.executable)')" -m pip install -q --disable-pip-version-check --trusted-host files.example.com --target libs ${link}`;
        const { exitCode, output } = await ran(command, [origin('files')], isPublic);
        assert.equal(exitCode, 0, output);
        assert.equal(await readFile(path.join(world.work, 'libs/tiny.py'), 'utf8'), 'x = 1');
      });
    }
  });
}
