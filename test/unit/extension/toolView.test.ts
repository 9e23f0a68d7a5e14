import assert from 'node:assert/strict';
import type { PendingApproval } from '../../../src/agent/tools/approvals.ts';
import type { ApprovalView, ToolPartView } from '../../../src/protocol/views.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

const input = { path: 'a\u202egnp.js', text: 'x\u200by' };

async function viewOf(
  asked: Partial<PendingApproval>,
  given: object = input,
): Promise<ToolPartView & { approval: ApprovalView }> {
  const { toolView } = await withVsCodeStub(() => import('../../../src/extension/pages/toolView.ts'));
  const approval: PendingApproval = {
    id: 'ask',
    chatId: 'c',
    toolName: 'edit_file',
    kind: 'write',
    hasChanged: false,
    ...asked,
  };
  const part = {
    ...({ type: 'tool-edit_file', toolCallId: 'call', state: 'approval-requested' } as const),
    input: given,
    approval: { id: 'ask' },
  };
  const view = toolView(part, { get: (id) => (id === 'ask' ? approval : undefined) });
  const { approval: shown } = view;
  assert.ok(shown);
  return { ...view, approval: shown };
}

const preview = { shown: 'src/a\u202egnp.js', uri: 'file:///x', before: 'old', after: 'new \u2066' };

describe('a call that asks, as the page shows it', () => {
  it('hides nothing in its title, its input, its question', async () => {
    const { title, input: shown, approval } = await viewOf({ preview });
    assert.equal(title, 'Edit a‹U+202E›gnp.js');
    assert.match(shown, /"a‹U\+202E›gnp\.js"/);
    assert.match(shown, /"x‹U\+200B›y"/);
    assert.equal(
      approval.question,
      'Allow edit to src/a‹U+202E›gnp.js? Contains hidden characters (U+2066).',
    );
    const own = await viewOf({ kind: 'tool:x:1', toolName: 'wea\u202ether' });
    assert.equal(
      own.approval.question,
      'Allow use of the tool “wea‹U+202E›ther”? Contains hidden characters (U+202E, U+200B).',
    );
  });

  it('shows what a server asks a model, and what it would have read, with nothing hidden', async () => {
    const text = `Say \u202ehi${'x'.repeat(10_000)}`;
    const sent = await viewOf(
      { kind: 'requests:mcp_a_b', toolName: 'mcp_a_b', modelRequest: { text, model: 'm\u200b' } },
      {},
    );
    assert.equal(sent.approval.question, 'Allow the MCP server of “mcp_a_b” to ask m‹U+200B›?');
    assert.match(sent.approval.sent ?? '', /^Say ‹U\+202E›hix+\n… \d,?\d{3} more characters$/u);
    assert.equal(sent.approval.reason, 'Counts in this chat’s budget.');
    assert.deepEqual([sent.approval.covers, sent.approval.choices], ['requests', ['once', 'chat', 'deny']]);
    const resource = { address: 'notes://field/a', server: 'mcp.config\n.x' };
    const read = await viewOf({ kind: 'resources:x', toolName: 'mcp_a_b', resource }, {});
    assert.equal(
      read.approval.question,
      'Allow reading this resource of the MCP server “mcp.config‹U+000A›.x”?',
    );
    assert.deepEqual([read.approval.address, read.approval.covers], ['notes://field/a', 'resources']);
  });

  it('has links to the resources that a tool of others returned, as they are addresses', async () => {
    const { toolView } = await withVsCodeStub(() => import('../../../src/extension/pages/toolView.ts'));
    const uri = 'mcp-resource://6d/notes/field/a';
    const resources = [
      { uri, name: 'a\u202e' },
      { uri: 'command:evil', name: 'b' },
    ];
    const shown = (kept: unknown, type: 'dynamic-tool' | 'tool-read_file' = 'dynamic-tool') =>
      toolView(
        {
          ...(type === 'dynamic-tool' ? { type, toolName: 'x' } : { type }),
          ...({ toolCallId: 'call', state: 'output-available', input: {} } as const),
          output: { text: '', details: { resources: kept } },
        },
        { get: () => undefined },
      ).resources;
    assert.deepEqual(shown(resources.slice(0, 1)), [{ uri, name: 'a‹U+202E›' }]);
    assert.equal(shown(resources), undefined);
    assert.equal(shown('x'), undefined);
    assert.equal(shown(resources.slice(0, 1), 'tool-read_file'), undefined);
  });

  it('waits for its turn until it has begun', async () => {
    const { toolView } = await withVsCodeStub(() => import('../../../src/extension/pages/toolView.ts'));
    const part = {
      ...({ type: 'tool-edit_file', toolCallId: 'call', state: 'input-available' } as const),
      input,
    };
    const none = { get: () => undefined };
    assert.equal(toolView(part, none).state, 'queued');
    const begun = { ...part, callProviderMetadata: { offshoot: { startedAt: 1 } } };
    assert.equal(toolView(begun, none).state, 'running');
  });

  it('tells of a command that writes nothing while it runs, whichever call waits for it', async () => {
    const { toolView } = await withVsCodeStub(() => import('../../../src/extension/pages/toolView.ts'));
    const none = { get: () => undefined };
    const quiet = { seconds: 10, waitsFor: 'password' };
    const waits = (type: `tool-${string}`, given: object, isLive = true) =>
      toolView(
        {
          ...({ toolCallId: 'call', state: 'input-available' } as const),
          type,
          input: given,
          callProviderMetadata: { offshoot: { startedAt: 1, progress: 'Password: ', quiet } },
        },
        none,
        { isLive },
      ).waiting;
    const text = 'Nothing was written for 10 s. It seems to wait for a password.';
    assert.deepEqual(waits('tool-run_command', { command: 'sudo ls' }), { text });
    assert.deepEqual(waits('tool-read_command', { id: 'k1' }), { text, commandId: 'k1' });
    assert.equal(waits('tool-run_command', { command: 'sudo ls' }, false), undefined);
  });

  it('says what each answer would cover, and offers none for more than once where that is not to be had', async () => {
    const ordinary = (await viewOf({ preview })).approval;
    assert.deepEqual([ordinary.covers, ordinary.choices], ['edits', ['once', 'chat', 'workspace', 'deny']]);
    assert.equal(ordinary.reason, undefined);
    const guarded = (await viewOf({ preview, protection: 'runs-programs' })).approval;
    assert.deepEqual([guarded.covers, guarded.choices], ['edits', ['once', 'deny']]);
    assert.equal(guarded.reason, 'Can run programs.');
    const readOnly = (await viewOf({ preview, isReadOnly: true })).approval;
    assert.deepEqual([readOnly.covers, readOnly.choices], ['edits', ['once', 'deny']]);
    assert.equal(readOnly.reason, 'File is read-only.');
    const both = (await viewOf({ preview, isReadOnly: true, protection: 'runs-programs' })).approval;
    assert.equal(both.reason, 'Can run programs.');
    const reading = (await viewOf({ kind: 'read:/x', reads: '.env' })).approval;
    assert.deepEqual([reading.covers, reading.choices], ['reading', ['chat', 'deny']]);
    assert.equal(reading.reason, 'May hold secrets.');
    const foreign = (await viewOf({ kind: 'tool:x:1', toolName: 'x', hasChanged: true })).approval;
    assert.deepEqual([foreign.covers, foreign.choices], ['tool', ['once', 'chat', 'workspace', 'deny']]);
    assert.match(foreign.question, /This tool has changed since you allowed it\./);
  });

  it('says what a rewind would not restore: of what a command changes, and of a file that goes', async () => {
    const command = { text: 'make', folder: '' };
    const questionOf = async (unwatched: readonly string[] | 'everything'): Promise<string> =>
      (await viewOf({ kind: 'command', command: { ...command, unwatched } }, { command: 'make' })).approval
        .question;
    assert.equal(await questionOf([]), 'Allow running this command?');
    assert.equal(
      await questionOf(['dist', 'a\u202eb']),
      'Allow running this command? A rewind does not restore what it changes in dist, a‹U+202E›b.',
    );
    assert.equal(
      await questionOf(['1', '2', '3', '4', '5', '6', '7']),
      'Allow running this command? A rewind does not restore what it changes in 1, 2, 3, 4, 5 and 2 more places.',
    );
    assert.equal(
      await questionOf('everything'),
      'Allow running this command? There are too many files here: a rewind restores nothing of what it changes.',
    );
    const gone = { shown: 'a', uri: 'file:///a', before: 'a', after: null, comesBackAsAnother: true };
    assert.match(
      (await viewOf({ preview: gone })).approval.question,
      /A rewind brings back what it holds, as a new file of yours: without its owner, its other names and/,
    );
  });

  it('shows the whole address of a page, who sends there, and what it would mean', async () => {
    const page = {
      url: 'https://docs.example.com/a?b',
      host: 'docs.example.com',
      isReadable: false,
      isLong: false,
    };
    const plain = (await viewOf({ kind: 'web:x', toolName: 'fetch_page', page })).approval;
    assert.deepEqual([plain.covers, plain.choices], ['host', ['once', 'chat', 'workspace', 'deny']]);
    assert.match(plain.question, /^Allow fetching this page from docs\.example\.com\?/);
    assert.deepEqual([plain.address, plain.reason], [page.url, undefined]);
    const sent = { ...page, from: 'a.example', isReadable: true, isLong: true };
    const odd = (await viewOf({ kind: 'web:x', toolName: 'fetch_page', page: sent })).approval;
    assert.deepEqual(odd.choices, ['once', 'deny']);
    assert.match(odd.question, / a\.example redirects there\./);
    assert.equal(odd.reason, 'Address could leak data.');
  });

  it('shows the very lines that would be remembered or forgotten, and where; once, or not', async () => {
    const asked = { kind: 'remember', protection: 'instructs-agents' } as const;
    const shown = async (memory: NonNullable<PendingApproval['memory']>): Promise<unknown[]> => {
      const { approval } = await viewOf({ ...asked, memory }, {});
      return [approval.question, approval.fact, approval.reason, ...approval.choices];
    };
    const rest = ['Agents follow it.', 'once', 'deny'];
    assert.deepEqual(await shown({ add: 'a', where: '.offshoot/memory.md' }), [
      ...['Remember this, in .offshoot/memory.md?', 'a', ...rest],
    ]);
    assert.deepEqual(await shown({ add: 'a', remove: 'b', where: '~/x\u202e' }), [
      ...['Remember this, in ~/x‹U+202E›?', '- b\n+ a', ...rest],
    ]);
    assert.deepEqual(await shown({ remove: 'b', where: undefined }), [
      ...['Forget this, in this branch?', 'b', ...rest],
    ]);
  });

  it('leaves the sandbox once, or not', async () => {
    const command = { text: 'npm ci', folder: '', leavesSandbox: true };
    const { choices, covers, reason } = (await viewOf({ kind: 'command', command })).approval;
    assert.deepEqual([choices, covers, reason], [['once', 'deny'], 'outside', 'Leaves the sandbox.']);
  });

  it('says that a command is to reach a host, and that the answer covers that host', async () => {
    const page = { url: 'https://a.example/', host: 'a.example', isReadable: false, isLong: false };
    const asked = { kind: 'web:x', toolName: 'run_command', page: { ...page, isForCommand: true } };
    const { question, reason, covers, choices } = (await viewOf(asked)).approval;
    assert.match(question, /^Allow this command to reach a\.example from the sandbox\?/u);
    assert.deepEqual(
      [reason, covers, choices],
      ['Can send anything there.', 'host', ['once', 'chat', 'workspace', 'deny']],
    );
  });

  it('says the risk in four words at most', async () => {
    const page = { url: 'http://a.b', host: 'a.b', isReadable: true, isLong: false };
    const command = { text: 'make', folder: '' };
    const protections = [
      'runs-programs',
      'instructs-agents',
      'credentials',
      'editor-settings',
      'repository',
    ] as const;
    const eachTime = [
      'not-plain',
      'runs-others',
      'runs-download',
      'fetched-and-piped',
      'writes-protected',
      'reads-secret',
      'other-shell',
    ] as const;
    for (const asked of [
      ...protections.map((protection) => ({ preview, protection })),
      ...eachTime.map((why) => ({ kind: 'command', command: { ...command, eachTime: why } })),
      { kind: 'command', command: { ...command, haveScriptsChanged: true } },
      { kind: 'command', command: { ...command, leavesSandbox: true } },
      { preview, isReadOnly: true },
      { kind: 'read:/x', reads: '.env' },
      { kind: 'web:x', toolName: 'fetch_page', page },
      { kind: 'web:x', toolName: 'fetch_page', page: { ...page, isLong: true } },
    ]) {
      const { reason } = (await viewOf(asked)).approval;
      assert.match(reason ?? '', /^(?:\S+ ){1,3}\S+\.$/u);
    }
  });
});

describe('the call of a command that ran in a sandbox', () => {
  it('says what that seems to have refused', async () => {
    const { toolView } = await withVsCodeStub(() => import('../../../src/extension/pages/toolView.ts'));
    const refusedIn = (sandbox: object | undefined) =>
      toolView(
        {
          ...({ type: 'tool-run_command', toolCallId: 'call', state: 'output-available' } as const),
          input: { command: 'npm ci' },
          output: { text: '', details: { id: 'a', exitCode: 1, ...(sandbox ? { sandbox } : {}) } },
        },
        { get: () => undefined },
      ).command?.sandbox;
    assert.equal(
      refusedIn({ refused: ['network', 'writing'] }),
      'The sandbox reaches allowed hosts alone, by HTTP and HTTPS. The sandbox seems to have refused to write a file.',
    );
    assert.equal(
      refusedIn({ refused: [], made: ['.vscode/tasks.json', 'a\u202eb/.git'], isCut: true }),
      'It made protected files; “.from-sandbox” was added to their names: .vscode/tasks.json, a‹U+202E›b/.git. ' +
        'There are too many files to look for all protected ones that it made.',
    );
    assert.equal(
      refusedIn({ refused: [], hosts: ['a\u202eb.example', 'c.example:8080'] }),
      'The sandbox may not reach a‹U+202E›b.example, c.example:8080: not allowed in this chat.',
    );
    assert.deepEqual([refusedIn({ refused: [] }), refusedIn(undefined)], [undefined, undefined]);
  });
});

describe('the call of a tool that is none of ours', () => {
  it('is told by its name and what it is about', async () => {
    const { describeCall } = await withVsCodeStub(() => import('../../../src/extension/pages/toolTitles.ts'));
    for (const [tool, given, title, icon] of [
      ['Read', { file_path: '/a.ts' }, 'Read: /a.ts', 'file'],
      ['shell', { command: ['ls', '-l'] }, 'shell: ls -l', 'terminal'],
      ['Bash', { command: 'make\ntest', description: 'Build' }, 'Bash: make', 'terminal'],
      ['python', { input: '```python\nprint(1)\n```' }, 'python: print(1)', 'tools'],
      ['apply_patch', { input: '*** Begin Patch\n*** Update File: a.ts\n' }, 'apply_patch: a.ts', 'tools'],
      ['fetch', { url: 'https://a\u202e.example' }, 'fetch: https://a‹U+202E›.example', 'globe'],
      ['odd', { path: 5, query: [1], prompt: '  ' }, 'odd', 'tools'],
      ['odd', 'text', 'odd', 'tools'],
      ['odd', undefined, 'odd', 'tools'],
    ] as const) {
      assert.deepEqual(describeCall(tool, given), { title, icon });
    }
    assert.ok(describeCall('x', { path: 'y'.repeat(10_000) }).title.length < 200);
  });
});
