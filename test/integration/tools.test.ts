import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { proposeSymbols } from '../../src/extension/files/proposeFiles.ts';
import { workspaceFolders } from '../../src/extension/files/openFolders.ts';
import { describeCall } from '../../src/extension/pages/toolTitles.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { readUIMessage } from '../../src/engine/uiMessage.ts';
import { hashOfFile } from '../../src/models/messages/messageFiles.ts';
import { toolFilesOf } from '../../src/models/messages/toolFiles.ts';
import { outputText, toolCallsIn } from '../../src/models/messages/toolParts.ts';
import {
  answer,
  startOpenAiServer,
  useTools,
  type OpenAiServer,
  type Reply,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { ask, messageText, offshoot, setSetting } from './support.ts';

type Call = readonly [name: string, input?: unknown];

describe('the tools of the agent in the editor', () => {
  let api: Offshoot;
  let server: OpenAiServer;
  let replies: Reply[] = [];

  before(async () => {
    api = await offshoot();
    server = await startOpenAiServer({ script: () => replies.shift() ?? answer('done') });
    await setSetting('openaiCompatible.baseUrl', server.baseUrl);
    await setSetting('openaiCompatible.model', 'test-model');
  });
  after(async () => {
    await setSetting('openaiCompatible.baseUrl', undefined);
    await setSetting('openaiCompatible.model', undefined);
    await server.close();
  });
  beforeEach(() => api.parts.current.startNew());

  /** What these calls, made in one answer, came to. */
  async function resultsOf(...calls: readonly Call[]): Promise<string[]> {
    replies = [useTools(...calls)];
    await ask(api, 'use them');
    const path = await api.parts.conversations.path();
    return path.flatMap(({ data }) => {
      const read = readUIMessage(data);
      return read
        ? toolCallsIn(read).map((call) =>
            call.state === 'output-available'
              ? outputText(call.output)
              : 'errorText' in call
                ? call.errorText
                : call.state,
          )
        : [];
    });
  }

  it('are titled so that no name looks like another one', () => {
    const titles = [
      describeCall('edit_file', { path: 'src/\u202Efdp.exe' }),
      describeCall('read_file', { path: 'a\u200Bb\nc', startLine: 2 }),
      describeCall('save_artifact', { name: 'x\u2066y' }),
      describeCall('their\u202Etool', {}),
    ].map(({ title }) => title);
    assert.deepEqual(titles, [
      'Edit src/‹U+202E›fdp.exe',
      'Read a‹U+200B›b‹U+000A›c:2–',
      'Artifact x‹U+2066›y',
      'their‹U+202E›tool',
    ]);
  });

  it('read, list, find and search the files of the workspace', async () => {
    const [list, read, found, searched, regex, none, broken] = await resultsOf(
      ['list_files', {}],
      ['read_file', { path: 'src/greet.ts' }],
      ['find_files', { pattern: '**/*.ts' }],
      ['search_files', { query: 'GREET', include: '*.ts' }],
      ['search_files', { query: 'function\\s+\\w+', isRegex: true, matchCase: true }],
      ['search_files', { query: '--files' }],
      ['search_files', { query: '(', isRegex: true }],
    );
    assert.match(list ?? '', /README\.md\n.*src\//s);
    assert.match(read ?? '', /^src\/greet\.ts, lines 1–\d+ of \d+:\n/);
    assert.equal(found, 'src/greet.ts');
    assert.match(searched ?? '', /^src\/greet\.ts:\d+: .*greet/);
    assert.match(regex ?? '', /^src\/greet\.ts:\d+: .*function/);
    assert.equal(none, 'No match.');
    assert.match(broken ?? '', /^The search cannot be done/);
  });

  it('know the problems of a file', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const problems = vscode.languages.createDiagnosticCollection('test');
    const at = new vscode.Range(1, 0, 1, 1);
    problems.set(vscode.Uri.joinPath(folder, 'notes.md'), [new vscode.Diagnostic(at, 'Too long')]);
    const [of, all] = await resultsOf(['get_diagnostics', { path: 'notes.md' }], ['get_diagnostics', {}]);
    problems.dispose();
    assert.equal(of, 'notes.md:2: error: Too long');
    assert.match(all ?? '', /notes\.md:2: error: Too long/);
  });

  it('know the names in a file', async () => {
    const provider = vscode.languages.registerDocumentSymbolProvider(
      { pattern: '**/notes.md' },
      {
        provideDocumentSymbols: () => {
          const range = new vscode.Range(0, 0, 0, 1);
          return [new vscode.DocumentSymbol('Notes', '', vscode.SymbolKind.Class, range, range)];
        },
      },
    );
    const [symbols] = await resultsOf(['find_symbols', { path: 'notes.md', query: 'note' }]);
    provider.dispose();
    assert.match(symbols ?? '', /notes\.md:1: class Notes/);
  });

  it('stand next to the names that are proposed for a question', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0] ?? assert.fail('no folder is open');
    const at = (file: string): vscode.Location =>
      new vscode.Location(vscode.Uri.joinPath(folder.uri, file), new vscode.Range(1, 0, 3, 1));
    const provider = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: () =>
        [
          ['proposedLonger', at('notes.md')],
          ['proposed', at('notes.md')],
          ['notProposed', at('notes.md')],
          [
            'proposedElsewhere',
            new vscode.Location(vscode.Uri.file('/etc/hostname'), new vscode.Position(0, 0)),
          ],
        ].map(([name, where]) => {
          assert.ok(typeof name === 'string' && where instanceof vscode.Location);
          return new vscode.SymbolInformation(name, vscode.SymbolKind.Function, '', where);
        }),
    });
    const found = await proposeSymbols(workspaceFolders(), 'PROPO', 20_000);
    provider.dispose();
    const lines = { type: 'file', path: 'notes.md', startLine: 2, endLine: 4 } as const;
    assert.deepEqual(found, [
      { name: 'proposed', lines },
      { name: 'proposedLonger', lines },
    ]);
    assert.deepEqual(await proposeSymbols(workspaceFolders(), 'p'), [], 'one letter is too few');
  });

  it("include those of other extensions, which ask first; the editor's own are left out", async () => {
    const { approvals } = api.parts;
    const asking = approvals.onDidChange(() => {
      for (const { id } of approvals.list()) approvals.answer(id, 'once');
    });
    const [weather] = await resultsOf(['offshoot_test_weather', { town: 'Bern' }]);
    asking.dispose();
    assert.equal(weather, 'Rain in Bern.');
    const names = server.requests.at(-1)?.body.tools?.map((each) => each.function.name) ?? [];
    assert.deepEqual(
      names.filter((name) => /^(copilot|vscode)_/.test(name)),
      [],
    );
    await setSetting('tools.external', false);
    await ask(api, 'again');
    const without = server.requests.at(-1)?.body.tools?.map((each) => each.function.name) ?? [];
    await setSetting('tools.external', undefined);
    assert.ok(names.includes('offshoot_test_weather') && !without.includes('offshoot_test_weather'));
  });

  it('keep the picture that a tool of another extension shows, and send it', async () => {
    const { approvals, store } = api.parts;
    const asking = approvals.onDidChange(() => {
      for (const { id } of approvals.list()) approvals.answer(id, 'once');
    });
    const [shown, wrong] = await resultsOf(
      ['offshoot_test_shoot', {}],
      ['offshoot_test_shoot', { mimeType: 'image/gif' }],
    );
    asking.dispose();
    assert.equal(shown, 'Here it is.');
    assert.match(wrong ?? '', /was left out: it is said to be image\/gif, and is image\/png/u);
    const path = await api.parts.conversations.path();
    const files = path
      .flatMap(({ data }) => readUIMessage(data) ?? [])
      .flatMap((message) => toolCallsIn(message))
      .flatMap((call) => toolFilesOf(call));
    assert.equal(files.length, 1);
    const kept = await store.blobs.get(hashOfFile(files[0] ?? assert.fail()) ?? '');
    const base64 = btoa(String.fromCharCode(...(kept ?? [])));
    assert.match(
      JSON.stringify(server.requests.at(-1)?.body.messages),
      new RegExp(`image_url.*${base64.slice(0, 40)}`),
    );
  });

  it('write files when the user allows it, shown as a diff until then and recorded afterwards', async () => {
    const { approvals, store, conversations, current } = api.parts;
    const diffs = (): string[] =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .flatMap(({ input, label }) => (input instanceof vscode.TabInputTextDiff ? [label] : []));
    let shown: string[] = [];
    const asking = approvals.onDidChange(() => {
      for (const { id } of approvals.list()) {
        void until(() => diffs().length > 0, 'the diff').then(() => {
          shown = diffs();
          approvals.answer(id, 'once');
        });
      }
    });
    const [made] = await resultsOf(['write_file', { path: 'made/by/tool.txt', content: 'made' }]);
    asking.dispose();
    assert.equal(made, 'Created made/by/tool.txt.');
    assert.deepEqual(shown, ['made/by/tool.txt (proposed)']);
    await until(() => diffs().length === 0, 'the diff to close');
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const file = vscode.Uri.joinPath(folder, 'made', 'by', 'tool.txt');
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)), 'made');
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, 'made'), { recursive: true });
    const path = await conversations.path();
    assert.deepEqual(
      path.flatMap(({ effects }) => effects?.files?.map((change) => change.path) ?? []),
      ['made/by/tool.txt'],
    );
    assert.ok(await store.getChat(await current.chatId()));
  });

  it('are called as often as the setting says, then wait, and go on when the user says so', async () => {
    const { conversations } = api.parts;
    await setSetting('tools.maxSteps', 1);
    try {
      replies = [useTools(['list_files', {}]), useTools(['list_files', {}]), answer('Both lists.')];
      const waiting = await conversations.ask('list twice');
      await waiting.done;
      assert.equal(waiting.notice?.code, 'step-limit');
      const goesOn = await conversations.continueAnswer('main');
      await goesOn.done;
      assert.equal(goesOn.notice?.code, 'step-limit');
      const last = await conversations.continueAnswer('main');
      await last.done;
      assert.equal(last.notice, undefined);
      assert.deepEqual((await messageText(api)).slice(0, 1), ['list twice']);
      assert.equal((await messageText(api)).at(-1), 'Both lists.');
    } finally {
      await setSetting('tools.maxSteps', undefined);
    }
  });

  it('are not offered when they are switched off, nor checkpoints when those are', async () => {
    await setSetting('checkpoint.enabled', false);
    await ask(api, 'one');
    const names = server.requests.at(-1)?.body.tools?.map((each) => each.function.name) ?? [];
    assert.ok(names.includes('read_file') && !names.includes('checkpoint') && !names.includes('rewind'));
    await setSetting('tools.enabled', false);
    await ask(api, 'two');
    assert.equal(server.requests.at(-1)?.body.tools, undefined);
    await setSetting('tools.enabled', undefined);
    await setSetting('checkpoint.enabled', undefined);
    await ask(api, 'three');
    assert.ok(server.requests.at(-1)?.body.tools?.some((each) => each.function.name === 'checkpoint'));
  });

  it('are not offered one by one where the user turned them off, and calls of those are refused', async () => {
    await setSetting('tools.off', ['search_files']);
    try {
      const [result] = await resultsOf(['search_files', { query: 'x' }]);
      assert.match(result ?? '', /no tool “search_files”/);
      const names = server.requests.at(-1)?.body.tools?.map((each) => each.function.name) ?? [];
      assert.ok(names.includes('read_file') && !names.includes('search_files'), names.join());
    } finally {
      await setSetting('tools.off', undefined);
    }
  });
});
