import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { delay } from '../../../src/host/timers.ts';
import { AnyVsCode, type FakePage } from '../../fixtures/anyVsCode.ts';
import { soon } from '../../fixtures/soon.ts';
import { until } from '../../fixtures/until.ts';

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
  let storage: string;
  let vscode: AnyVsCode;
  let extension: Extension;

  beforeEach(async () => {
    storage = await mkdtemp(path.join(tmpdir(), 'offshoot-shown-'));
    await start();
  });

  async function start(settings?: Readonly<Record<string, unknown>>): Promise<void> {
    for (const file of loaded()) Reflect.deleteProperty(require.cache, path.join(dist, file));
    vscode = new AnyVsCode(settings);
    const manifest: unknown = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    extension = require('./extension.js') as Extension;
    extension.activate(vscode.context(root, manifest, storage));
  }

  async function stop(): Promise<void> {
    await extension.deactivate();
    vscode.dispose();
  }

  afterEach(async () => {
    await stop();
    await rm(storage, { recursive: true, force: true });
  });

  it('shows the chat with two files', async () => {
    assert.deepEqual(loaded(), ['extension.js']);
    let atFirst: string[] = [];
    const page = vscode.openView((type) => {
      if (type === 'conversationChanged') atFirst = loaded();
      return Promise.resolve();
    });
    page.receive({ type: 'ready' });
    await soon.deepEqual(
      () => [...vscode.errors, ...page.posted.map(({ type }) => type).slice(0, 2)],
      ['localised', 'conversationChanged'],
    );
    assert.deepEqual(atFirst, ['extension-start.cjs', 'extension.js']);
  });

  const shown = ['localised', 'conversationChanged'];
  const typesOf = (page: FakePage): string[] =>
    page.posted.map(({ type }) => type).filter((type) => shown.includes(type));
  const open = (): FakePage => {
    const page = vscode.openView(() => Promise.resolve());
    page.receive({ type: 'ready' });
    return page;
  };

  /** Until it stops, with the conversation that was shown kept. */
  async function startBefore(): Promise<FakePage> {
    const page = open();
    await soon.deepEqual(() => typesOf(page), shown);
    const file = path.join(storage, 'workspace', 'last-conversation.jsonl');
    await until(() => readFile(file).catch(() => undefined), 'the conversation to be kept');
    await stop();
    return page;
  }

  it('shows what was shown last until the store is open', async () => {
    const first = await startBefore();
    await start();
    const second = open();
    await soon.deepEqual(() => typesOf(second), [...shown, ...shown]);
    assert.deepEqual(second.posted[1], first.posted[1]);
    assert.deepEqual(vscode.errors, []);
  });

  it('shows nothing of that where the conversations are in another place by now', async () => {
    await startBefore();
    await start({ 'sharedStore.address': 'no address' });
    const page = open();
    await until(() => typesOf(page).length >= 2, 'the conversation');
    // What was shown last has no banner.
    assert.match(JSON.stringify(page.posted[1]), /The shared store of your settings is not in use/u);
  });

  it('sends a page that names nothing to be loaded before it is shown', () => {
    const { html } = vscode.openView(() => Promise.resolve());
    const [, script = ''] = /<script [^>]*>(.*?)<\/script>\s*<\/body>/su.exec(html) ?? [];
    assert.match(script, /acquireVsCodeApi/u);
    assert.doesNotMatch(html.replace(script, ''), /\ssrc=|\srel=/u);
  });

  it('reads the tree behind the chat', async () => {
    const order: string[] = [];
    const page = vscode.openView(async (type) => {
      if (type !== 'conversationChanged') return;
      // Long enough for a tree that does not wait.
      await delay(300);
      order.push('chat');
    });
    page.receive({ type: 'ready' });
    const tree = await until(
      () => Promise.resolve(vscode.trees.get('offshoot.tree')),
      'the tree to be there',
    );
    assert.deepEqual(await tree.getChildren(), []);
    order.push('tree');
    assert.deepEqual(order, ['chat', 'tree']);
  });

  it('reads the tree at once where no chat is looked at', async () => {
    const tree = await until(
      () => Promise.resolve(vscode.trees.get('offshoot.tree')),
      'the tree to be there',
    );
    assert.deepEqual(await tree.getChildren(), []);
    assert.deepEqual(vscode.errors, []);
  });
});
