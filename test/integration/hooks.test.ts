import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readConversation } from '../../src/extension/chat/conversationView.ts';
import { ContextTree } from '../../src/extension/context/contextView.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { answer, toolResultsOf, useTools, type Reply } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { playDialogs } from './dialogs.ts';
import { FolderFiles } from './folderFiles.ts';
import { ask, offshoot, useModelServer } from './support.ts';

const FILE = '.github/hooks/x.json';

describe('hooks', () => {
  let api: Offshoot;
  let replies: Reply[] = [];
  const server = useModelServer(() => replies.shift() ?? answer('done'));
  const files = new FolderFiles();

  const put = (more: object): Promise<void> => files.write(FILE, JSON.stringify({ hooks: more }));
  const hook = (command: string) => [{ type: 'command', command }];

  const reader = async () => (await api.parts.hooks.reader()) ?? assert.fail('no hooks can be run here');

  /** What the page is told. */
  const view = () => readConversation({ ...api.parts, current: api.parts.current });
  const banner = async (): Promise<string | undefined> =>
    (await view()).banners.find(({ id }) => id === 'hooks')?.text;

  /** The rows of the Context view. */
  const rows = async (): Promise<string[]> => {
    const { context, log } = api.parts;
    const tree = new ContextTree(context, log);
    try {
      await context.read();
      const section = (await tree.getChildren()).find(
        (node) => node.kind === 'section' && node.section === 'hooks',
      );
      const found: string[] = [];
      for (const node of section ? await tree.getChildren(section) : []) {
        const { label, description } = await tree.getTreeItem(node);
        found.push(`${typeof label === 'string' ? label : ''}: ${String(description)}`);
      }
      return found;
    } finally {
      tree.dispose();
    }
  };

  /** Takes the answer of a user who looks at what the file runs. */
  const review = async (button: string): Promise<string> => {
    using dialogs = playDialogs(button);
    const [listed] = await reader().then((each) => each.list());
    await vscode.commands.executeCommand('offshoot.reviewHooks', { kind: 'hooks', hooks: listed });
    const [shown = assert.fail('nothing was shown')] = dialogs.shown;
    return `${shown.text}\n${shown.detail}`;
  };

  /** Has the model run a command; the user allows none. */
  const runCommand = async (): Promise<boolean> => {
    const { approvals, conversations } = api.parts;
    replies = [useTools(['run_command', { command: 'rm -rf precious', outside: true }])];
    const run = await conversations.ask('Remove it');
    let isOver = false;
    const ended = run.done.then(() => (isOver = true));
    const [asked] = await until(
      () => (isOver ? [undefined] : approvals.list().length > 0 && approvals.list()),
      'a question, or the end',
    );
    if (asked) approvals.answer(asked.id, 'deny');
    await ended;
    return asked !== undefined;
  };

  const result = (): string => {
    const request = server().requests.at(-1) ?? assert.fail('nothing was asked');
    return String(toolResultsOf(request).at(-1)?.result);
  };

  before(async () => {
    api = await offshoot();
  });
  beforeEach(() => api.parts.current.startNew());
  afterEach(async () => {
    await files.remove('.github/hooks');
    await files.remove('ran');
    const hooks = await reader();
    for (const { file } of await hooks.list()) await hooks.answer(file, 'unseen');
  });

  it('are not run before the user has seen what they run; then one blocks a command, and the chat says so', async () => {
    await put({ PreToolUse: hook('touch ran; echo "keep what is precious" >&2; exit 2') });
    assert.equal(await runCommand(), true, 'the user is asked, as without hooks');
    assert.equal(await files.exists('ran'), false);
    assert.equal(await banner(), 'Hooks of this project are not run yet.');
    assert.deepEqual(await rows(), [`${FILE}: Not run yet: review it`]);

    const shown = await review('Allow These Hooks');
    assert.match(shown, /PreToolUse: touch ran; echo "keep what is precious" >&2; exit 2/u);
    assert.equal(await banner(), undefined);
    assert.deepEqual(await rows(), [`${FILE}: 1 hook, allowed`]);

    assert.equal(await runCommand(), false, 'what a hook blocks is not asked for');
    assert.match(result(), /blocked this call: keep what is precious/u);
    assert.equal(await files.exists('ran'), true);
    assert.ok(
      JSON.stringify((await view()).messages).includes(`Blocked by a hook of ${FILE}: keep what is precious`),
      'the chat says so',
    );
  });

  it('are not run once their file has changed, or when the user leaves them off', async () => {
    await put({ PreToolUse: hook('exit 2') });
    await review('Allow These Hooks');
    assert.equal(await runCommand(), false);
    await put({ PreToolUse: hook('touch ran; exit 2') });
    assert.equal(await runCommand(), true);
    assert.equal(await files.exists('ran'), false);
    assert.equal(await banner(), 'Hooks of this project are not run yet.');
    await review('Leave Off');
    assert.equal(await banner(), undefined);
    assert.deepEqual(await rows(), [`${FILE}: Off`]);
    assert.equal(await runCommand(), true);
  });

  it('hear of rewinds, which they can refuse, and of new branches', async () => {
    await put({
      BeforeRewind: hook('grep -q message_id && echo "stay here" >&2 && exit 2; exit 0'),
      BranchCreated: hook('cat > ran'),
    });
    await review('Allow These Hooks');
    await ask(api, 'one');
    const [question] = await api.parts.conversations.path();
    const messageId = question?.id ?? assert.fail('nothing was asked');
    await assert.rejects(
      api.parts.conversations.rewindBefore(messageId),
      new RegExp(`Blocked by a hook of ${FILE}: stay here`, 'u'),
    );
    await api.parts.conversations.edit(messageId, 'two');
    await until(async () => (await files.exists('ran')) && (await files.text('ran')) !== '', 'the hook');
    const heard = JSON.parse(await files.text('ran')) as Record<string, unknown>;
    assert.equal(heard['hook_event_name'], 'BranchCreated');
    assert.notEqual(heard['branch'], 'main');
  });
});
