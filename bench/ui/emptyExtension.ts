import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const [publisher, name] = ['offshoot-bench', 'empty'];

export const EMPTY = `${publisher}.${name}`;

/**
 * What the item in the activity bar is called that shows its page: above trees, as ours is, for VS Code takes its time
 * to draw them.
 */
export const EMPTY_PAGE = 'Page above trees';

const code = `const vscode = require('vscode');
const page = {
  resolveWebviewView: ({ webview }) => {
    webview.options = { enableScripts: true };
    webview.html = '<!doctype html><main class="page"><textarea></textarea></main>';
  },
};
const tree = { getChildren: () => [], getTreeItem: () => ({}) };
exports.activate = () => {
  vscode.window.registerWebviewViewProvider('empty.page', page);
  for (const view of ['empty.tree', 'empty.folded']) vscode.window.registerTreeDataProvider(view, tree);
};
`;

/**
 * The least an extension can be: it has views with an input and nothing else on them. The baseline for ours.
 * @param activationEvents what activates it but its view
 * @param work gets its folder
 */
export async function withEmptyExtension(
  activationEvents: readonly string[],
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-empty-'));
  const icon = 'icon.svg';
  const manifest = {
    publisher,
    name,
    version: '0.0.1',
    engines: { vscode: '^1.120.0' },
    main: './extension.js',
    browser: './extension.js',
    activationEvents,
    contributes: {
      viewsContainers: {
        activitybar: [{ id: 'empty', title: EMPTY_PAGE, icon }],
      },
      views: {
        empty: [
          { id: 'empty.page', name: 'Page', type: 'webview', icon, initialSize: 3 },
          { id: 'empty.tree', name: 'Tree', icon, initialSize: 1 },
          { id: 'empty.folded', name: 'Folded', icon, initialSize: 1, visibility: 'collapsed' },
        ],
      },
    },
  };
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(path.join(folder, 'extension.js'), code);
    await writeFile(path.join(folder, icon), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
