import assert from 'node:assert/strict';
import { streamText, type ModelMessage } from 'ai';
import { DEMO_MODEL_ID, DemoModelSource } from '../../../src/models/demo/demoModel.ts';
import { cycleTools } from '../../../src/agent/checkpoints/cycleTools.ts';
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
    const { pieces, text } = await ask(quick(), 'How do I parse dates in Python?');
    assert.ok(pieces.length > 40);
    assert.ok(pieces.every((piece) => piece.trim().split(/\s+/u).length === 1));
    assert.match(text, /^## .*parse dates Python/);
    assert.match(text, /^(\d\.|-|>) /mu);
    assert.match(text, /```ts\n[^`]+/);
  });

  it('says which question of the path it answers, and what was asked before', async () => {
    const { text } = await ask(quick(), 'Name a color', answered('Red.'), 'And a shape');
    assert.match(text, /question 2 on this path/);
    assert.match(text, /question 1: “Name a color”/);
    assert.match(text, /“And a shape”/);
    assert.match((await ask(quick(), 'Name a color')).text, /question 1 on this path/);
  });

  it('answers another try at the same question differently', async () => {
    const source = quick();
    const tries = [];
    for (let attempt = 0; attempt < 4; attempt += 1)
      tries.push((await ask(source, 'Why is the sky blue?')).text);
    assert.equal(new Set(tries).size, 4);
  });

  it('answers the same question differently on two branches, each by what was asked before on it', async () => {
    const web = await ask(quick(), 'Build it as a web page', answered('Well.'), 'And the tests?');
    const terminal = await ask(quick(), 'Build it for the terminal', answered('Well.'), 'And the tests?');
    assert.match(web.text, /web page/);
    assert.doesNotMatch(web.text, /terminal/);
    assert.match(terminal.text, /terminal/);
    assert.notEqual(web.text.replaceAll('web page', '…'), terminal.text.replaceAll('terminal', '…'));
  });

  it('answers as the question asks: steps, a comparison, a list, always labelled', async () => {
    const steps = await ask(quick(), 'How do I bake bread?');
    assert.match(steps.text, /^1\. .*\n2\. /mu);
    const comparison = await ask(quick(), 'Compare rye and wheat');
    assert.match(comparison.text, /rye.*wheat/s);
    assert.match(comparison.text, /^\| +\| rye \| wheat \|$/mu);
    for (const { text } of [steps, comparison]) assert.match(text, /\*Demo answer\. /);
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
    assert.match((await ask(quick(), 'show a Table, please')).text, /\| :-- \| --: \|/);
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
      '| a | table |',
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

  it('answers like any other question where there are no tools', async () => {
    await using world = await newWorld();
    const model = (await quick().find(DEMO_MODEL_ID)) ?? assert.fail();
    const branch = await world.startChat();
    const run = await world.runs.start({ chatId: CHAT, branch, question: 'explore', model });
    await run.done;
    assert.match((await world.texts()).at(-1) ?? '', /^## About explore/);
  });
});
