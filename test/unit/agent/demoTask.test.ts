import assert from 'node:assert/strict';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { PendingApproval } from '../../../src/agent/tools/approvals.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import { chineseBook } from '../../../src/models/demo/chineseBook.ts';
import { DEMO_MODEL_ID, DemoModelSource } from '../../../src/models/demo/demoModel.ts';
import { demoToolStep } from '../../../src/models/demo/demoTools.ts';
import type { DemoWindow } from '../../../src/models/demo/demoWindow.ts';
import { englishBook } from '../../../src/models/demo/englishBook.ts';
import { CHAT, type World } from '../../worlds/agentWorld.ts';
import { commandWorld } from '../../worlds/commandWorld.ts';
import { callsIn } from '../../worlds/toolCalls.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { Person, writingWorld } from '../../worlds/writingWorld.ts';

const FILE = 'offshoot-demo.md';
const CORRECTED = '# Trip\n\n1. Buy the tickets\n2. Pack the bag\n3. Lock the door\n';
const desktop: DemoWindow = {
  language: 'en',
  isTrusted: true,
  isBrowser: false,
  folders: ['trip'],
  shell: '/bin/sh',
};

async function run(
  world: World,
  question = 'task',
  window: DemoWindow = desktop,
): Promise<{ calls: string[]; text: string }> {
  const source = new DemoModelSource({ pace: () => 0, window: () => window });
  const model = (await source.find(DEMO_MODEL_ID)) ?? assert.fail();
  const branch = await world.startChat();
  const answer = await world.runs.start({ chatId: CHAT, branch, question, model });
  await answer.done;
  assert.deepEqual([answer.status, answer.notice], ['complete', undefined]);
  const explored = branch === answer.branch ? [] : callsIn(await world.path(branch)).slice(2);
  const path = await world.path(answer.branch);
  return {
    calls: [...callsIn(path).slice(0, 2), ...explored, ...callsIn(path).slice(2)].map(
      ({ toolName, state }) => `${toolName} ${state}`,
    ),
    text: textOf(path.at(-1) ?? assert.fail()),
  };
}

const ok = (...names: readonly string[]): string[] => names.map((name) => `${name} output-available`);

const isCommand = ({ command }: PendingApproval): boolean => command !== undefined;

describe('the task of the demo', () => {
  it('makes a file, explores and rewinds, edits as its report says, and runs a command, each asked for', async () => {
    await using workspace = await TestWorkspace.create();
    const person = new Person(() => 'once');
    const { world, runs } = await commandWorld(workspace, person, []);
    await using _world = world;
    const { calls, text } = await run(world, englishBook.task.question);
    runs.dispose();
    assert.deepEqual(
      calls,
      ok('write_file', 'checkpoint', 'read_file', 'rewind', 'edit_file', 'run_command'),
    );
    assert.equal(await workspace.text(FILE), CORRECTED);
    assert.equal(person.asked.length, 3);
    assert.equal(person.asked.filter(isCommand).length, 1);
    assert.match(
      text,
      /Done, and all of it can be undone.*A command in the terminal showed.*Rewind to Here/s,
    );
  });

  it('stops where the file is denied, and repeats nothing that tools answered', async () => {
    await using workspace = await TestWorkspace.create();
    await using world = await writingWorld(workspace, new Person(() => 'deny'), []);
    const { calls, text } = await run(world);
    assert.deepEqual(calls, ['write_file output-denied', 'read_file output-error']);
    assert.ok(text.endsWith(englishBook.task.notWritten));
    assert.doesNotMatch(text, /did not allow this|no such|ENOENT/i);
  });

  it('stops where the edit is denied, and goes on with the same file when it is asked again', async () => {
    await using workspace = await TestWorkspace.create();
    let isDenied = true;
    const person: Person = new Person(({ id }) => (isDenied && id !== person.asked[0]?.id ? 'deny' : 'once'));
    await using world = await writingWorld(workspace, person, []);
    const first = await run(world);
    assert.ok(first.text.endsWith(englishBook.task.notEdited));
    assert.equal(await workspace.text(FILE), englishBook.task.file);
    isDenied = false;
    await using again = await writingWorld(workspace, person, []);
    const second = await run(again);
    assert.equal(await workspace.text(FILE), CORRECTED);
    assert.match(second.text, /Done/);
  });

  it('says that a command did not run where it was denied', async () => {
    await using workspace = await TestWorkspace.create();
    const { world, runs } = await commandWorld(
      workspace,
      new Person((asked) => (isCommand(asked) ? 'deny' : 'once')),
      [],
    );
    await using _world = world;
    assert.match((await run(world)).text, /Done.*The command did not run/s);
    runs.dispose();
  });

  it('goes without a command in a browser, and says so, in the language of the interface', async () => {
    for (const [language, told, line] of [
      ['en', /In a browser without a server no command can run/, '1. Buy the tickets'],
      ['zh-cn', /在没有服务器的浏览器中无法运行命令/, '1. 买票'],
    ] as const) {
      await using workspace = await TestWorkspace.create();
      await using world = await writingWorld(workspace, new Person(() => 'once'), []);
      const { calls, text } = await run(world, 'task', { ...desktop, language, isBrowser: true });
      assert.deepEqual(calls, ok('write_file', 'checkpoint', 'read_file', 'rewind', 'edit_file'));
      assert.match(text, told);
      assert.ok((await workspace.text(FILE)).includes(line));
    }
  });

  it('is asked for in Chinese as well', async () => {
    await using workspace = await TestWorkspace.create();
    await using world = await writingWorld(workspace, new Person(() => 'once'), []);
    assert.match((await run(world, chineseBook.task.question)).text, /完成了/);
  });
});

describe('the steps of the task', () => {
  const tools = (...names: readonly string[]) =>
    names.map((name) => ({ name, description: name, inputSchema: {} }));
  const all = tools('write_file', 'edit_file', 'read_file', 'checkpoint', 'rewind', 'run_command');
  const asked: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: 'task' }] }];
  const answered = (toolName: string, failed = false): LanguageModelV4Prompt[number] => ({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: toolName,
        toolName,
        output: { type: failed ? 'error-text' : 'text', value: 'INTERNAL' },
      },
    ],
  });

  for (const [language, book] of Object.entries({ English: englishBook, Chinese: chineseBook })) {
    it(`say in ${language} why there is no task`, () => {
      const { missing } = book.task;
      for (const [window, offered, expected] of [
        [{ ...desktop, isTrusted: false }, [], missing.untrusted],
        [{ ...desktop, isTrusted: false, folders: [] }, [], missing.untrusted],
        [{ ...desktop, folders: [] }, tools('checkpoint', 'rewind'), missing['no-folder']],
        [desktop, tools('read_file'), missing.off],
      ] as const) {
        for (const question of ['task', '任务', 'explore', '探索', book.task.question]) {
          const step = demoToolStep(question, { book, window }, asked, offered);
          assert.deepEqual(step, { text: expected, calls: [] }, question);
        }
      }
    });
  }

  it('name the folder where several are open, and the command of the shell', () => {
    const at = (window: DemoWindow, ...done: LanguageModelV4Prompt) =>
      demoToolStep('task', { book: englishBook, window }, [...asked, ...done], all)?.calls[0]?.input;
    const two = { ...desktop, folders: ['trip', 'home'] };
    assert.deepEqual(at(two), { path: `trip/${FILE}`, content: englishBook.task.file });
    const report: LanguageModelV4Prompt[number] = {
      role: 'user',
      content: [{ type: 'text', text: '<report goal="x">\nfound\n</report>' }],
    };
    const edited = [report, answered('edit_file')] as const;
    assert.deepEqual(at(two, ...edited), { command: `cat ${FILE}`, folder: 'trip' });
    const windows = { ...desktop, shell: 'C:\\Windows\\System32\\cmd.exe' };
    assert.deepEqual(at(windows, ...edited), { command: `type ${FILE}` });
  });

  it('leave the exploration out where the agent has no checkpoints, and end where one fails', () => {
    const after = (offered: typeof all, ...done: LanguageModelV4Prompt) =>
      demoToolStep('task', { book: englishBook, window: desktop }, [...asked, ...done], offered);
    const without = tools('write_file', 'edit_file', 'read_file');
    assert.equal(after(without, answered('write_file'))?.calls[0]?.name, 'edit_file');
    assert.match(
      after(without, answered('write_file'), answered('edit_file'))?.text ?? '',
      /Checkpoints of the agent are turned off/,
    );
    for (const done of [
      [answered('checkpoint', true)],
      [answered('checkpoint'), answered('read_file'), answered('rewind', true)],
    ]) {
      const step = after(all, answered('write_file'), ...done);
      assert.deepEqual(step, { text: englishBook.task.brokeOff, calls: [] });
    }
  });

  it('are not taken for other questions', () => {
    for (const question of [
      'Write a task list for me',
      'How do I edit a file?',
      'How would you explore Mars?',
      '',
    ]) {
      assert.equal(
        demoToolStep(question, { book: englishBook, window: desktop }, asked, all),
        undefined,
        question,
      );
    }
  });
});
