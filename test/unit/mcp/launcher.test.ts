import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { launcherText, configFiles, withServer } from '../../../src/extension/mcp/mcpConfig.ts';
import { jsonc } from '../../../src/extension/pages/themeFile.ts';

const run = promisify(execFile);

describe('the launcher of the MCP server', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-launcher-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** An installed version, whose program says which it is. */
  async function install(version: string): Promise<string> {
    const dist = path.join(folder, `offshoot.offshoot-${version}`, 'dist');
    await mkdir(dist, { recursive: true });
    await writeFile(
      path.join(dist, 'mcp.mjs'),
      `console.log('${version}', process.argv.slice(2).join(' '));`,
    );
    return path.join(dist, 'mcp.mjs');
  }
  async function launch(program: string, isFirst = false): Promise<string> {
    const file = path.join(folder, 'launcher.mjs');
    await writeFile(file, launcherText({ folder, prefix: 'offshoot.offshoot-', program, isFirst }));
    return (await run(process.execPath, [file, '--storage', 'x'])).stdout.trim();
  }

  it('starts the newest version there is, whichever wrote it, with what it was given', async () => {
    const written = await install('0.9.0');
    assert.equal(await launch(written), '0.9.0 --storage x');
    await install('0.10.0');
    await install('0.10.0-alpha');
    await mkdir(path.join(folder, 'offshoot.offshoot-9.0.0'), { recursive: true });
    await install('0.2.30');
    assert.match(await launch(written), /^0\.10\.0/);
    await rm(path.join(folder, 'offshoot.offshoot-0.9.0'), { recursive: true });
    assert.match(await launch(written), /^0\.10\.0/);
    await writeFile(
      path.join(folder, '.obsolete'),
      JSON.stringify({ 'offshoot.offshoot-0.10.0': true, 'offshoot.offshoot-0.10.0-alpha': true }),
    );
    assert.equal(await launch(written), '0.2.30 --storage x');
  });

  it('starts the sources it was written from, where it was', async () => {
    await install('5.0.0');
    const sources = path.join(folder, 'mcp.mjs');
    await writeFile(sources, "console.log('sources');");
    assert.equal(await launch(sources, true), 'sources');
  });

  it('says what to do when Offshoot is gone', async () => {
    const failed = await launch(path.join(folder, 'gone.mjs')).catch((error: unknown) => error);
    assert.match(String((failed as { stderr?: string }).stderr), /not installed any more/);
  });
});

describe('the files that other agents look for servers in', () => {
  const entry = {
    type: 'stdio',
    command: 'node',
    args: ['/a b/offshoot-mcp.mjs', '--storage', '/c'],
  } as const;

  it('get the server, and keep all else', () => {
    const made = withServer(jsonc, undefined, configFiles.shared, entry);
    assert.deepEqual(JSON.parse(made), { mcpServers: { offshoot: entry } });
    assert.equal(withServer(jsonc, made, configFiles.shared, entry), made);
    const before =
      '\uFEFF{\r\n\t// mine\r\n\t"servers": {\r\n\t\t"a": { "command": "x" }, // one\r\n\t},\r\n\t"inputs": []\r\n}\r\n';
    const after = withServer(jsonc, before, configFiles.vscode, entry);
    assert.ok(after.startsWith('\uFEFF{\r\n\t// mine\r\n\t"servers": {\r\n\t\t"a": {'));
    assert.match(after, /"command": "x"/);
    assert.match(after, /\/\/ one/);
    assert.ok(after.endsWith('"inputs": []\r\n}\r\n'));
    assert.match(after, /\t\t"offshoot": \{\r\n/);
    assert.equal(withServer(jsonc, after, configFiles.vscode, entry), after);
    const moved = withServer(jsonc, after, configFiles.vscode, { ...entry, command: 'other' });
    assert.equal(moved.match(/"offshoot"/g)?.length, 1);
    assert.match(moved, /"command": "other"/);
  });

  it('are left alone where they are no JSON with an object', () => {
    for (const text of ['{', '[]', '"x"', '{"mcpServers": []}', '{"mcpServers": {}} x', 'mcpServers: {}']) {
      assert.throws(() => withServer(jsonc, text, configFiles.shared, entry), /no JSON file with an object/);
    }
  });
});
