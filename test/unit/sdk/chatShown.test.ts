import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AnyVsCode } from '../../fixtures/anyVsCode.ts';
import { soon } from '../../fixtures/soon.ts';

interface Extension {
  activate(context: unknown): unknown;
  deactivate(): Promise<void>;
}

const root = process.cwd();
const dist = path.join(root, 'dist');
const require = createRequire(path.join(dist, 'extension.js'));

/** The files of the extension that were loaded. */
const loaded = (): string[] =>
  Object.keys(require.cache)
    .filter((file) => path.dirname(file) === dist)
    .map((file) => path.basename(file))
    .sort();

describe('the extension, as VS Code starts it', () => {
  it('shows the chat with two files', async () => {
    const storage = await mkdtemp(path.join(tmpdir(), 'offshoot-shown-'));
    for (const file of loaded()) Reflect.deleteProperty(require.cache, path.join(dist, file));
    const vscode = new AnyVsCode();
    try {
      const manifest: unknown = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
      const extension = require('./extension.js') as Extension;
      extension.activate(vscode.context(root, manifest, storage));
      assert.deepEqual(loaded(), ['extension.js']);
      let atFirst: string[] = [];
      const page = vscode.openView((type) => {
        if (type === 'conversationChanged') atFirst = loaded();
      });
      page.receive({ type: 'ready' });
      await soon.deepEqual(
        () => [...vscode.errors, ...page.posted.map(({ type }) => type).slice(0, 2)],
        ['localised', 'conversationChanged'],
      );
      assert.deepEqual(atFirst, ['extension-start.cjs', 'extension.js']);
      await extension.deactivate();
    } finally {
      vscode.dispose();
      await rm(storage, { recursive: true, force: true });
    }
  });
});
