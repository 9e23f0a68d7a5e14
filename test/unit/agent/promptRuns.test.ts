import assert from 'node:assert/strict';
import { z } from 'zod';
import {
  PROMPT_PART,
  INSTRUCTIONS_PART,
  addedText,
  type AttachedPrompt,
} from '../../../src/agent/attachments/addedParts.ts';
import type { ChatMode } from '../../../src/agent/run/chatMode.ts';
import { questionSettings } from '../../../src/agent/run/questionSettings.ts';
import { defineTool } from '../../../src/agent/tools/tool.ts';
import { readUIMessage, type UIMessagePart } from '../../../src/engine/uiMessage.ts';
import { answer } from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';
import { receivedMessages, request } from '../../worlds/toolCalls.ts';

const tools = ['look', 'find', 'change'].map((name) =>
  defineTool({
    name,
    description: name,
    input: z.object({}),
    readsOnly: name !== 'change',
    run: () => ({ text: 'done' }),
  }),
);

const prompt = (settings: Partial<AttachedPrompt>): UIMessagePart[] => [
  { type: PROMPT_PART, data: { name: 'p', path: 'p.md', ...settings } },
  addedText('prompt', 'Do it.'),
];

describe('a question that runs a prompt', () => {
  it('has its mode and its tools, and the next question those that are selected', async () => {
    await using world = await newWorld({
      mode: () => 'ask',
      tools: () => tools,
      script: [answer('one'), answer('two')],
    });
    const { runs } = world;
    const ask = async (attached: UIMessagePart[]) => {
      const run = await runs.start({
        chatId: CHAT,
        branch: 'main',
        question: '/p rest',
        attached,
        model: await world.model(),
      });
      await run.done;
    };
    await ask(prompt({ mode: 'agent', tools: ['change', 'find'] }));
    await ask([]);
    const offered = [1, 2].map((number) =>
      (request(world.server, number).body.tools ?? []).map((each) => each.function.name),
    );
    assert.deepEqual(offered, [
      ['find', 'change'],
      ['look', 'find'],
    ]);
    assert.match(receivedMessages(request(world.server, 1)).at(-1) ?? '', /\/p rest[\s\S]*Do it\./);
  });

  it('that is stored can only take away: others write chats, too', () => {
    const settings = (selected: ChatMode, isStored: boolean, mode?: ChatMode) =>
      questionSettings(prompt(mode ? { mode } : {}), {
        selected,
        isStored,
        model: {},
        isSideQuestion: false,
        onlyReads: false,
        agent: undefined,
      }).mode;
    assert.equal(settings('ask', false, 'agent'), 'agent');
    assert.equal(settings('ask', true, 'agent'), 'ask');
    assert.equal(settings('plan', true, 'agent'), 'plan');
    assert.equal(settings('agent', true, 'ask'), 'ask');
    assert.equal(settings('agent', true, 'plan'), 'plan');
    assert.equal(settings('plan', true), 'plan');
    const side = questionSettings(prompt({ mode: 'plan' }), {
      selected: 'agent',
      model: {},
      isStored: false,
      isSideQuestion: true,
      onlyReads: false,
      agent: undefined,
    });
    assert.equal(side.mode, 'ask');
  });
});

describe('the instructions that go with a question', () => {
  it('are kept in its message, and leave what was sent before as it was', async () => {
    const seen: number[] = [];
    await using world = await newWorld({
      instructions: ({ path }) => {
        seen.push(path.length);
        const text = addedText('instructions', `Instructions ${path.length}`);
        return Promise.resolve([
          { type: INSTRUCTIONS_PART, data: { path: 'x.md', uri: 'file:///x.md' } },
          text,
        ]);
      },
      script: [answer('one'), answer('two')],
    });
    await world.answered('first');
    await world.answered('second');
    assert.deepEqual(seen, [0, 2]);
    const [before, after] = [1, 2].map((number) => receivedMessages(request(world.server, number)));
    assert.ok(before && after);
    assert.deepEqual(after.slice(0, before.length), before, 'what is cached stays');
    assert.match(after.at(-1) ?? '', /second[\s\S]*Instructions 2/);
    const { headMessageId } = (await world.store.getActiveBranch(CHAT)) ?? assert.fail();
    const [question] = await world.store.getPath(CHAT, headMessageId ?? '');
    const parts = question && readUIMessage(question.data)?.parts;
    assert.equal(parts?.length, 3);
  });
});
