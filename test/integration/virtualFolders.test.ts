import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { walkedSearch } from '../../src/agent/tools/workspace/walkedSearch.ts';
import { editorTexts } from '../../src/extension/files/editorEncodings.ts';
import { filesToSearch } from '../../src/extension/files/filesToSearch.ts';
import { foundFiles } from '../../src/extension/files/folderSearch.ts';
import type { GuardedFiles } from '../../src/host/guardedFiles.ts';
import type { Host } from '../../src/host/hostMachine.ts';
import type { WorkspaceFiles } from '../../src/host/workspaceFiles.ts';
import { MemoryFileSystem } from './memoryFileSystem.ts';
import { offshoot } from './support.ts';

const SCHEME = 'offshoot-test-memory';
const ROOT = `${SCHEME}:/work`;
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const at = (path: string) => ({ folder: ROOT, path });

describe('folders that another extension provides', () => {
  const folders = [{ name: 'work', uri: ROOT }];
  let host: Host;
  let guarded: GuardedFiles;
  let files: WorkspaceFiles;
  let provider: vscode.Disposable;

  before(async () => {
    ({ host } = (await offshoot()).parts);
    guarded = host.guardedFiles(() => folders);
    files = host.workspaceFiles(() => folders);
    provider = vscode.workspace.registerFileSystemProvider(SCHEME, new MemoryFileSystem(), {
      isCaseSensitive: true,
    });
    for (const [path, content] of [
      ['AGENTS.md', 'Be brief.'],
      ['src/greet.ts', 'export const greeting = "hello";\n'],
      ['node_modules/x.ts', 'hello\n'],
    ] as const) {
      await files.write(at(path), { bytes: new TextEncoder().encode(content), mode: undefined }, 't');
    }
  });
  after(() => void provider.dispose());

  it('are read and written by their addresses, and nothing of this machine is', async () => {
    const file = await guarded.resolve('src/greet.ts');
    assert.equal(file.uri, `${ROOT}/src/greet.ts`);
    assert.match(text(await guarded.read(file, 1_000)), /hello/u);
    await guarded.resolveForWriting('src/greet.ts');
    const before = await files.read(at('src/greet.ts'));
    assert.ok(before);
    await files.write(at('made/new.txt'), before, 't', { hash: null });
    assert.equal(text((await files.read(at('made/new.txt')))?.bytes), text(before.bytes));
    await files.remove(at('made/new.txt'));
    await files.removeEmptyFolder(at('made'));
    assert.equal(await files.isFolder(at('made')), false);
    await assert.rejects(guarded.resolve('/etc/passwd'), { code: 'outside-workspace' });
    await assert.rejects(guarded.resolve({ uri: 'file:///work/src/greet.ts' }), {
      code: 'outside-workspace',
    });
    assert.equal(host.isLocal(ROOT), false);
  });

  it('are searched by reading them, where VS Code has no search for them', async () => {
    const found = await foundFiles('**/*.{ts,md}', 100, { folder: ROOT });
    assert.deepEqual(found.map((uri) => uri.path).sort(), ['/work/AGENTS.md', '/work/src/greet.ts']);
    const search = walkedSearch(filesToSearch(guarded, editorTexts));
    const query = { text: 'HELLO', isRegex: false, matchCase: false, include: ['*.ts'] };
    const { matches } = await search.find(ROOT, query, 10, new AbortController().signal, () => true);
    assert.deepEqual(
      matches.map(({ path, line }) => [path, line]),
      [['src/greet.ts', 1]],
    );
  });
});
