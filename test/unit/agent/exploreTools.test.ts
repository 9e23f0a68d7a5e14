import assert from 'node:assert/strict';
import { exploreTool } from '../../../src/agent/explore/exploreTool.ts';
import { toolsIn, type ChatMode } from '../../../src/agent/run/chatMode.ts';
import { readTools } from '../../../src/agent/tools/workspace/readTools.ts';
import { resultText } from '../../../src/agent/context/modelMessages.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';
import { explore, playing, promptOf, task, tools } from '../../worlds/exploreWorld.ts';
import { callsIn } from '../../worlds/toolCalls.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { Person, writingWorld } from '../../worlds/writingWorld.ts';

const named = (mode: ChatMode, isDemo = false): string[] =>
  toolsIn(mode, tools(), { isDemo }).map(({ name }) => name);

describe('the tool that has tasks explored', () => {
  it('is there for an agent and for a plan, and not where one only asks, nor for the demo', () => {
    assert.deepEqual(named('agent'), ['checkpoint', 'rewind', 'explore', 'look', 'echo']);
    assert.deepEqual(named('plan'), ['explore', 'look']);
    assert.deepEqual(named('ask'), ['look']);
    assert.ok(!named('agent', true).includes('explore'));
    assert.ok(!named('plan', true).includes('explore'));
  });

  it('is not there for side questions and for alternatives', async () => {
    await using world = await newWorld({
      tools,
      script: () => useTools(['explore', { tasks: [task('a')] }]),
    });
    await world.startChat();
    const model = await world.model();
    const offered = (): string[] =>
      world.server.requests.at(-1)?.body.tools?.map(({ function: { name } }) => name) ?? [];
    const side = await world.runs.start({
      chatId: CHAT,
      branch: 'main',
      question: '?',
      model,
      isSideQuestion: true,
    });
    await side.done;
    assert.deepEqual(offered(), ['look', 'echo']);
    const [call] = callsIn(await world.path());
    assert.equal(call && resultText(call), 'Exploring is not available in subagents.');
    const one = await world.runs.start({
      chatId: CHAT,
      branch: 'main',
      question: '!',
      model,
      onlyReads: true,
    });
    await one.done;
    assert.deepEqual(offered(), ['look']);
    assert.equal((await world.store.listBranches(CHAT)).length, 1);
  });

  it('says what is missing from a task', async () => {
    await using world = await newWorld({
      tools,
      script: playing(
        [
          useTools(['explore', { tasks: [{ title: ' ', prompt: 'x' }] }], ['explore', { tasks: [] }]),
          answer('ok'),
        ],
        {},
      ),
    });
    await world.answered('?');
    const results = callsIn(await world.path()).map((call) => resultText(call));
    assert.match(results[0] ?? '', /tasks\.0\.title/);
    assert.match(results[1] ?? '', /The input of “explore” is not valid/);
  });

  it('asks nobody for leave: what was not allowed before is refused, and named in the report', async () => {
    await using work = await TestWorkspace.create({ '.env': 'KEY=1', 'other.env': 'KEY=2', 'a.txt': 'text' });
    const person = new Person(() => 'chat');
    const read = (path: string): [string, unknown] => ['read_file', { path }];
    await using world = await writingWorld(
      work,
      person,
      playing([useTools(read('other.env')), explore(task('a')), answer('ok')], {
        a: [useTools(read('.env'), read('other.env'), read('a.txt')), answer('I could not read .env.')],
      }),
      { tools: () => [...readTools(work), exploreTool] },
    );
    await world.answered('?');
    assert.deepEqual(
      person.asked.map(({ reads }) => reads),
      ['other.env'],
      'only the answer itself asks',
    );
    const last = world.server.requests.findLast((each) => promptOf(each) !== '');
    assert.ok(last);
    const [env, other, text] = toolResultsOf(last).map(({ result }) => result);
    assert.match(
      env ?? '',
      /Reading “\.env” needs the user’s leave, and you can’t ask for it while you explore/,
    );
    assert.match(other ?? '', /KEY=2/);
    assert.match(text ?? '', /text/);
  });
});
