import assert from 'node:assert/strict';
import { streamText, type ModelMessage } from 'ai';
import { DEMO_MODEL_ID, DemoModelSource } from '../../../src/models/demo/demoModel.ts';
import { cycleTools } from '../../../src/agent/checkpoints/cycleTools.ts';
import { reminderText } from '../../../src/agent/attachments/attachedContext.ts';
import { pathSummaryMessage } from '../../../src/engine/pathSummary.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import { readTools } from '../../../src/agent/tools/workspace/readTools.ts';
import { newWorld, CHAT, type World } from '../../worlds/agentWorld.ts';
import { callsIn } from '../../worlds/toolCalls.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

const quick = (): DemoModelSource => new DemoModelSource({ pace: () => 0 });

interface Spoken {
  readonly pieces: readonly string[];
  readonly text: string;
  readonly reasoning: string;
  readonly error: unknown;
}

async function ask(source: DemoModelSource, ...messages: (string | ModelMessage)[]): Promise<Spoken> {
  const model = await source.find(DEMO_MODEL_ID);
  assert.ok(model);
  const result = streamText({
    model: await model.open(),
    messages: messages.map((each): ModelMessage =>
      typeof each === 'string' ? { role: 'user', content: each } : each,
    ),
    onError: () => undefined,
  });
  const pieces: string[] = [];
  let reasoning = '';
  let error: unknown;
  for await (const part of result.stream) {
    if (part.type === 'text-delta') pieces.push(part.text);
    if (part.type === 'reasoning-delta') reasoning += part.text;
    if (part.type === 'error') ({ error } = part);
  }
  return { pieces, text: pieces.join(''), reasoning, error };
}

const answered = (text: string): ModelMessage => ({ role: 'assistant', content: text });

describe('the offline demo', () => {
  it('is labelled as a demo', async () => {
    const [model] = await quick().list();
    assert.equal(model?.isDemo, true);
    assert.match(model.label, /demo/i);
  });

  it('answers word by word, in Markdown with a heading, a list and code', async () => {
    const { pieces, text } = await ask(quick(), 'Count the most common words of a text in Python');
    assert.ok(pieces.length > 40);
    assert.ok(pieces.every((piece) => piece.trim().split(/\s+/u).length === 1));
    assert.equal(pieces.join(''), text);
    assert.match(text, /^## .*Python/);
    assert.match(text, /^- /mu);
    assert.match(text, /```python\n[^`]+/);
  });

  it('answers in the language of the question, else in that of the interface, piece by piece', async () => {
    const { pieces, text } = await ask(quick(), '举例说明什么是闭包');
    assert.match(text, /^## 闭包/);
    assert.ok(pieces.length > 100);
    assert.match((await ask(quick(), '17 * 23 是多少？')).text, /391.*这是算出来的/s);
    const chinese = new DemoModelSource({
      pace: () => 0,
      window: () => ({ language: 'zh-cn', isTrusted: true, isBrowser: false, folders: [], shell: 'sh' }),
    });
    assert.match((await ask(chinese, 'help')).text, /这个演示能做什么/);
    assert.match((await ask(quick(), 'help')).text, /What this demo can do/);
  });

  it('answers another try at the same question differently', async () => {
    const source = quick();
    const tries = [];
    for (let attempt = 0; attempt < 4; attempt += 1)
      tries.push((await ask(source, 'Why is the sky blue?')).text);
    assert.equal(new Set(tries).size, 4);
  });

  it('answers the same question differently on two branches, each by what was asked before on it', async () => {
    const web = await ask(quick(), 'Build it as a web page', answered('Well.'), 'And then?');
    const terminal = await ask(quick(), 'Build it for the terminal', answered('Well.'), 'And then?');
    assert.match(web.text, /“Build it as a web page”/);
    assert.doesNotMatch(web.text, /terminal/);
    assert.match(terminal.text, /“Build it for the terminal”/);
  });

  it('never repeats what the program sends with a question', async () => {
    const secret = 'SECRET';
    const parts = (...texts: readonly string[]): ModelMessage => ({
      role: 'user',
      content: texts.map((text) => ({ type: 'text', text })),
    });
    const environment = `<environment>\nDate: ${secret}\n</environment>`;
    const { part } = reminderText('notes.md', secret);
    const attachment = 'text' in part && typeof part.text === 'string' ? part.text : assert.fail();
    const reminder = `<system-reminder>${secret}</system-reminder>`;
    for (const message of [
      parts(
        'Whose is it?',
        attachment,
        `[The project’s instructions, in AGENTS.md:]\n\n${secret}`,
        environment,
        reminder,
      ),
      parts(attachment, environment),
      parts(`[The user runs the prompt file a.prompt.md. This is what they ask:]\n\n${secret}`, environment),
      parts(environment),
      parts(`Whose is it?\n${environment}`),
    ]) {
      const { text, error } = await ask(quick(), message);
      assert.equal(error, undefined);
      assert.match(text, /takes a model/);
      assert.doesNotMatch(text, /SECRET|environment|undefined/);
      const later = await ask(quick(), message, answered('Well.'), parts('And now?', environment));
      assert.doesNotMatch(later.text, /SECRET|environment|undefined/);
    }
    const summary = pathSummaryMessage('s', {
      kind: 'note',
      text: secret,
      source: { branch: 'main', headMessageId: null, from: 'a', to: 'b', count: 2 },
      writtenAt: '2026-11-10T00:00:00Z',
    });
    for (const notice of [textOf(summary), reminder]) {
      const { text } = await ask(
        quick(),
        'First?',
        answered('Well.'),
        parts(notice),
        parts('And now?', environment),
      );
      assert.match(text, /- “First\?”/);
      assert.doesNotMatch(text, /SECRET/);
    }
  });

  it('gives the same answers to the same questions in the same order', async () => {
    const run = async (): Promise<string[]> => {
      const source = quick();
      return [(await ask(source, 'Same?')).text, (await ask(source, 'Same?')).text];
    };
    assert.deepEqual(await run(), await run());
  });

  it('counts the tries of each conversation for itself', async () => {
    const source = quick();
    await ask(source, 'One');
    const first = await ask(quick(), 'One', answered('a'), 'Two');
    assert.equal((await ask(source, 'One', answered('a'), 'Two')).text, first.text);
  });

  it('takes a keyword in a short question and not in a long one', async () => {
    assert.match((await ask(quick(), 'help')).text, /`fail` breaks off/);
    assert.match((await ask(quick(), 'show a Table, please')).text, /\| --: \| :-- \|/);
    assert.match((await ask(quick(), 'code')).text, /```python/);
    assert.notEqual((await ask(quick(), 'think about it')).reasoning, '');
    assert.ok((await ask(quick(), 'long')).text.length > 10_000);
    const real = await ask(quick(), 'Why does my test of the whole parser fail on Windows?');
    assert.equal(real.error, undefined);
  });

  it('breaks off half-way with an error when asked to fail', async () => {
    const { text, error } = await ask(quick(), 'fail');
    assert.ok(text.length > 50);
    assert.doesNotMatch(text, /should not be able to read/);
    assert.match(error instanceof Error ? error.message : '', /asked it to fail/);
  });

  it('answers whatever is asked: nothing but signs, markup, one endless word', async () => {
    for (const question of [
      '???',
      '<img src=x onerror=alert(1)>',
      '```',
      '🙂🙂',
      'x'.repeat(100_000),
      '| a | fence |',
    ]) {
      const { text, error } = await ask(quick(), question);
      assert.equal(error, undefined);
      assert.equal((text.match(/```/gu)?.length ?? 0) % 2, question === '```' ? 1 : 0, question.slice(0, 20));
    }
  });

  it('waits between words as it is told to, and stops when it is stopped', async () => {
    await using world: World = await newWorld();
    const source = new DemoModelSource({ pace: () => 1_000_000 });
    const model = (await source.find(DEMO_MODEL_ID)) ?? assert.fail();
    const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'hello', model });
    await world.runs.stop(CHAT, 'main');
    assert.equal(run.status, 'interrupted');
    assert.equal((await world.lastMetadata()).isDemo, true);
  });
});

describe('the offline demo with tools', () => {
  it('explores from a checkpoint and comes back with what the tools really said', async () => {
    await using workspace = await TestWorkspace.create({ 'a.md': '', 'src/b.ts': '' });
    workspace.found = ['a.md', 'src/b.ts'];
    await using world = await newWorld({ tools: () => [...cycleTools, ...readTools(workspace)] });
    const model = (await quick().find(DEMO_MODEL_ID)) ?? assert.fail();
    const run = await world.runs.start({
      chatId: CHAT,
      branch: await world.startChat(),
      question: 'explore',
      model,
    });
    await run.done;
    assert.deepEqual([run.status, run.branch, run.notice], ['complete', 'main-v2', undefined]);
    assert.deepEqual(
      callsIn(await world.path('main')).map(({ toolName, state }) => `${toolName} ${state}`),
      ['checkpoint', 'list_files', 'find_files', 'rewind'].map((name) => `${name} output-available`),
    );
    assert.match((await world.texts('main-v2')).at(-1) ?? '', /^## What I found\n.*`a\.md`\n- `src\/b\.ts`/s);
  });

  it('says why where there are no tools', async () => {
    await using world = await newWorld();
    const model = (await quick().find(DEMO_MODEL_ID)) ?? assert.fail();
    const branch = await world.startChat();
    const run = await world.runs.start({ chatId: CHAT, branch, question: 'explore', model });
    await run.done;
    assert.match((await world.texts()).at(-1) ?? '', /tools for this task are not offered/);
  });
});
