import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { withListPrices } from '../../src/models/chatModel.ts';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { user } from '../../src/engine/fragments/index.ts';
import { defineMessage } from '../../src/engine/messageDescriptor.ts';
import { artifactsOf, childrenOf } from '../../src/extension/context/contextNodes.ts';
import { contextItem } from '../../src/extension/context/contextItems.ts';
import { shownCost } from '../../src/extension/context/costText.ts';
import { ContextTree } from '../../src/extension/context/contextView.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { VERSION_SCHEME } from '../../src/extension/files/versionUris.ts';
import { soon } from '../fixtures/soon.ts';
import { until } from '../fixtures/until.ts';
import { offshoot, setSetting, writableStore } from './support.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('what the Context view opens', () => {
  let api: Offshoot;
  let engine: ContextEngine;

  before(async () => {
    api = await offshoot();
  });
  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await api.parts.current.startNew();
    const chatId = await api.parts.current.chatId();
    engine = new ContextEngine({ store: writableStore(api), chatId, userId: api.parts.userId });
  });
  afterEach(() => engine.close());

  const keep = async (name: string, bytes: Uint8Array, mediaType: string): Promise<void> => {
    await engine.artifacts.save(name, bytes, { mediaType });
    engine.set(user(`kept ${name}`));
    await engine.save();
  };
  const open = async (name: string): Promise<vscode.Tab> => {
    const now = await api.parts.context.read();
    const artifact = artifactsOf(now).find((each) => each.name === name);
    assert.ok(artifact, 'the artifact is in the view');
    await vscode.commands.executeCommand('offshoot.openArtifact', { kind: 'artifact', ...artifact });
    return until(() => vscode.window.tabGroups.activeTabGroup.activeTab, 'a tab');
  };

  it('is text for whatever could run something', async () => {
    const notebook = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });
    await keep('evil.ipynb', bytes(notebook), 'text/plain');
    assert.ok((await open('evil.ipynb')).input instanceof vscode.TabInputText);
    await keep('picture.svg', bytes('<svg onload="alert(1)"/>'), 'image/svg+xml');
    assert.ok((await open('picture.svg')).input instanceof vscode.TabInputText);
  });

  it('is closed like any editor, stays read-only, and leaves nothing behind', async () => {
    await keep('../../etc/passwd', bytes('root'), 'text/plain');
    const { input } = await open('../../etc/passwd');
    assert.ok(input instanceof vscode.TabInputText);
    assert.equal(input.uri.path, '');
    assert.equal(input.uri.scheme, VERSION_SCHEME);
    await assert.rejects(async () => vscode.workspace.fs.writeFile(input.uri, bytes('x')));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until(
      () => !vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === VERSION_SCHEME),
      'the document to be released',
      15_000,
    );
  });

  it('shows of a large artifact what it is, at once', async () => {
    await keep('large.txt', bytes('a line of text\n'.repeat(2_000_000)), 'text/plain');
    const tree = new ContextTree(api.parts.context, api.parts.log);
    try {
      await api.parts.context.read();
      const sections = await tree.getChildren();
      const artifacts = sections.find((node) => node.kind === 'section' && node.section === 'artifacts');
      assert.ok(artifacts);
      const [node] = await tree.getChildren(artifacts);
      assert.ok(node);
      const { description } = await tree.getTreeItem(node);
      assert.equal(description, 'version 0 · 30 MB · text/plain');
    } finally {
      tree.dispose();
    }
  });

  it('tells the whole context, with a fence no message can end', async () => {
    engine.set(user('```\n# Not a heading\n```\na\u202eb'));
    await engine.save();
    const associations = { '*': 'json', '*.md': 'json', '/Context.md': 'json', Context: 'json' };
    const files = vscode.workspace.getConfiguration('files');
    await files.update('associations', associations, vscode.ConfigurationTarget.Workspace);
    await vscode.commands.executeCommand('offshoot.inspectContext');
    const openEditor = async (): Promise<vscode.TextEditor> => {
      try {
        return await until(() => vscode.window.activeTextEditor, 'the document');
      } finally {
        await files.update('associations', undefined, vscode.ConfigurationTarget.Workspace);
      }
    };
    const editor = await openEditor();
    assert.equal(editor.document.languageId, 'markdown', 'whatever a workspace associates');
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'Context');
    const text = editor.document.getText();
    assert.match(text, /\| Together +\| +[\d.,]+ \|/);
    assert.match(text, /<role>/);
    assert.match(text, /````\n```\n# Not a heading\n```\na‹U\+202E›b\n````/);
    assert.equal(editor.document.isDirty, false);
  });

  it('follows rewinds and switches, and so does the document of the whole context', async () => {
    const { conversations, context, log } = api.parts;
    const heads: string[] = [];
    for (const mood of ['first', 'second']) {
      engine.state.set('mood', mood);
      await keep('plan.md', bytes(`- ${mood}`), 'text/markdown');
      heads.push(engine.headMessageId ?? assert.fail());
    }
    const tree = new ContextTree(context, log);
    const head = async (): Promise<string[]> => {
      const rows = [];
      for (const section of await tree.getChildren()) {
        if (section.kind !== 'section' || !['state', 'artifacts'].includes(section.section)) continue;
        for (const node of await tree.getChildren(section)) {
          const { label, description } = await tree.getTreeItem(node);
          rows.push(`${JSON.stringify(label)} ${String(description).split(' · ')[0]}`);
        }
      }
      return rows;
    };
    const shows = async (mood: string, version: number): Promise<void> => {
      await context.read();
      await soon.deepEqual(head, [`"mood" "${mood}"`, `"plan.md" version ${version}`]);
    };
    try {
      await vscode.commands.executeCommand('offshoot.inspectContext');
      const { document } = await until(() => vscode.window.activeTextEditor, 'the document');
      const says = (line: string) => until(() => document.getText().includes(line), line);
      await says('- Branch: Main line');
      await shows('second', 1);
      await conversations.rewind(heads[0] ?? '');
      await shows('first', 0);
      await says('- Branch: New branch');
      await conversations.switchBranch('main');
      await shows('second', 1);
      await says('- Branch: Main line');
    } finally {
      tree.dispose();
    }
  });

  it('prices the next request as answers are priced, by the user’s settings where they say so', async () => {
    engine.set(user('What does this cost?'));
    await engine.save();
    assert.equal((await api.parts.context.read()).cost, undefined, 'the demo has no price');
    const price = { input: 20, output: 100, cachedInput: 2 };
    await setSetting('modelOverrides', { 'demo/offline': { ...price, contextWindow: 1_000_000 } });
    const tree = new ContextTree(api.parts.context, api.parts.log);
    try {
      const { tokens, cost, window } = await api.parts.context.read();
      assert.ok(cost);
      assert.ok(Math.abs(cost.most - tokens * 20e-6) < 1e-12, `${cost.most}`);
      assert.ok(Math.abs(cost.least - tokens * 2e-6) < 1e-12, `${cost.least}`);
      assert.equal(window, 1_000_000);
      const row = (await tree.getChildren()).find(
        (node) => node.kind === 'section' && node.section === 'cost',
      );
      assert.ok(row);
      const { description, tooltip, collapsibleState } = await tree.getTreeItem(row);
      assert.match(String(description), /^about \$/);
      assert.ok(tooltip instanceof vscode.MarkdownString);
      assert.match(tooltip.value, /if all of it is cached/);
      assert.match(tooltip.value, /Price from your settings/);
      assert.equal(collapsibleState, vscode.TreeItemCollapsibleState.None);
    } finally {
      tree.dispose();
      await setSetting('modelOverrides', undefined);
    }
  });

  it('tells the day of a list price', async () => {
    engine.set(user('What does this cost?'));
    await engine.save();
    const now = await api.parts.context.read();
    const listed = {
      ...now,
      cost: { most: 2, least: 2, answer: undefined },
      model: await withListPrices({
        id: 'openai:gpt-4',
        label: 'GPT-4',
        isDemo: false,
        open: () => assert.fail(),
      }),
    };
    assert.deepEqual(shownCost(listed)?.lines, [
      'Sending it once costs about $2',
      '$30 in, $60 out per million',
      'List price as of 11/10/2026',
    ]);
  });

  it('lists the tools this model refuses, with a word of why', async () => {
    engine.set(user('Which tools?'));
    await engine.save();
    const reason = defineMessage('This model doesn’t take this name.');
    const now = await api.parts.context.read();
    const tools = { ...now.tools, leftOut: [1, 2].map(() => ({ name: '3d_print', reason })) };
    const items = childrenOf({ ...now, tools }, { kind: 'section', section: 'tools' }).map((node) =>
      contextItem(now, node),
    );
    assert.deepEqual(
      items.map(({ label, description }) => [label, description]),
      [1, 2].map(() => ['3d_print', 'This model doesn’t take this name.']),
    );
    assert.equal(new Set(items.map(({ id }) => id)).size, 2);
  });
});
