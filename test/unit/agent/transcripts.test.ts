import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exploreTool } from '../../../src/agent/explore/exploreTool.ts';
import { cycleTools } from '../../../src/agent/checkpoints/cycleTools.ts';
import { defaultFragments } from '../../../src/agent/instructions/systemPrompt.ts';
import { environmentParts } from '../../../src/agent/instructions/environmentParts.ts';
import { editorTools } from '../../../src/agent/tools/workspace/editorTools.ts';
import { webTools, type WebHost } from '../../../src/agent/tools/web/webTools.ts';
import { readTools } from '../../../src/agent/tools/workspace/readTools.ts';
import { writeTools } from '../../../src/agent/tools/workspace/writeTools.ts';
import { notesTools } from '../../../src/agent/tools/notesTools.ts';
import { todoTools } from '../../../src/agent/tools/todoTool.ts';
import {
  answer,
  callTool,
  finish,
  refuse,
  say,
  type RecordedRequest,
  type Step,
} from '../../fixtures/openaiServer.ts';
import type { World } from '../../worlds/agentWorld.ts';
import { writingWorld, Person } from '../../worlds/writingWorld.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

/**
 * Each cycle of the agent as the model sees it, word for word, in a file: what it is told cannot change unseen. After a
 * change that is meant, run the tests with `UPDATE_TRANSCRIPTS=1` and read the difference.
 */
const folder = path.join(process.cwd(), 'test', 'fixtures', 'transcripts');

async function isAsWritten(name: string, text: string): Promise<void> {
  const file = path.join(folder, name);
  if (process.env['UPDATE_TRANSCRIPTS'] === '1') await writeFile(file, text);
  assert.equal(text, await readFile(file, 'utf8'), `what the model sees is not what ${name} says`);
}

/** What was sent, request after request; a message that was sent before is only counted. */
function transcript(requests: readonly RecordedRequest[]): string {
  let before: string[] = [];
  return requests
    .map(({ body }, index) => {
      const messages = body.messages.map((message) => JSON.stringify(message, undefined, 2));
      let same = 0;
      while (same < before.length && messages[same] === before[same]) same += 1;
      before = messages;
      const tools = (body.tools ?? []).map(({ function: { name } }) => name).join(', ');
      return [
        `=== Request ${index + 1}, tools: ${tools === '' ? 'none' : tools}`,
        ...(same > 0 ? [`(${same} messages as before)`] : []),
        ...messages.slice(same),
        '',
      ].join('\n');
    })
    .join('\n');
}

const environment = {
  date: '2026-11-26',
  system: 'Linux',
  shell: 'bash',
  folders: [{ name: 'app', branch: 'main' }],
};

let calls = 0;
const call = (name: string, input: unknown): Step => callTool(`call-${++calls}`, name, JSON.stringify(input));
const asks = (...steps: Step[]): readonly Step[] => [...steps, finish('tool_calls')];

/** Runs a conversation in a workspace of one file and compares what was sent. */
async function tells(
  name: string,
  script: () => Parameters<typeof writingWorld>[2],
  talk: (world: World) => Promise<unknown>,
  person = new Person(() => 'once'),
): Promise<void> {
  calls = 0;
  await using workspace = await TestWorkspace.create({ 'a.ts': 'one\r\ntwo\r\n' });
  await using world = await writingWorld(workspace, person, script(), {
    fragments: defaultFragments,
    instructions: ({ path: before }) => Promise.resolve(environmentParts(environment, before)),
  });
  await talk(world);
  await isAsWritten(`${name}.txt`, transcript(world.server.requests));
}

describe('what the model sees', () => {
  it('of its tools', async () => {
    await using workspace = await TestWorkspace.create();
    const all = [
      exploreTool,
      ...readTools(workspace),
      ...editorTools(workspace),
      ...writeTools(workspace),
      ...todoTools,
      ...webTools({} as WebHost),
      ...notesTools,
      ...cycleTools,
    ];
    await using world = await writingWorld(workspace, new Person(() => 'once'), [answer('Hello.')], {
      tools: () => all,
    });
    await world.answered('Hello');
    await isAsWritten('tools.txt', `${JSON.stringify(world.server.requests[0]?.body.tools, undefined, 2)}\n`);
  });

  it('of reading and writing, of what is denied and what fails', () =>
    tells(
      'writing',
      () => [
        asks(say('I read it.'), call('read_file', { path: 'a.ts' }), call('read_file', { path: 'none.ts' })),
        asks(call('edit_file', { path: 'a.ts', oldText: 'one', newText: 'eins' })),
        asks(call('write_file', { path: 'b.ts', content: 'new' }), call('no_such_tool', {})),
        answer('Done.'),
        answer('You are welcome.'),
      ],
      async (world) => {
        await world.answered('Translate it');
        await world.answered('Thank you');
      },
      new Person(({ toolName }) => (toolName === 'write_file' ? 'deny' : 'once')),
    ));

  it('of a checkpoint and its report, at once and after a restart', () =>
    tells(
      'exploring',
      () => [
        asks(say('I look around.'), call('checkpoint', { goal: 'Find the second line' })),
        asks(call('read_file', { path: 'a.ts' })),
        asks(call('rewind', { report: 'It is `two`.' }), call('read_file', { path: 'a.ts', startLine: 2 })),
        answer('It is two.'),
        answer('Certainly.'),
      ],
      async (world) => {
        await world.answered('What is the second line?');
        await world.answered('Are you sure?', 'main-v2');
      },
    ));

  it('of one checkpoint inside another', () =>
    tells(
      'nested',
      () => [
        asks(call('checkpoint', { goal: 'outer' })),
        asks(call('checkpoint', { goal: 'inner', name: 'in' })),
        asks(call('rewind', { report: 'inside' })),
        asks(call('rewind', { report: 'outside' })),
        answer('Both.'),
      ],
      (world) => world.answered('Explore twice'),
    ));

  it('of a report it owes', () =>
    tells(
      'reminders',
      () => [asks(call('checkpoint', { goal: 'find it' })), answer('Hm.'), answer('Hm?'), answer('No.')],
      (world) => world.answered('Find it'),
    ));

  it('of tools it used before, where none can be used now', () =>
    tells(
      'without-tools',
      () => [
        asks(call('read_file', { path: 'a.ts' })),
        answer('Read.'),
        refuse(400, { message: 'test-model does not support tools' }),
        answer('So be it.'),
      ],
      async (world) => {
        await world.answered('Read it');
        await world.answered('And now?');
      },
    ));
});
