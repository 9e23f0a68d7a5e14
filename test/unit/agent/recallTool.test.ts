import assert from 'node:assert/strict';
import { recallTool, type RecallHost } from '../../../src/agent/tools/recallTool.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { newWorld } from '../../worlds/agentWorld.ts';
import { request } from '../../worlds/toolCalls.ts';
import { Person } from '../../worlds/writingWorld.ts';

describe('what an agent recalls of other chats', () => {
  const asked: string[] = [];
  const host = (isShared: boolean): RecallHost => ({
    isShared,
    find: (query, chatId, limit) => {
      asked.push(`${query} ${chatId !== ''} ${limit}`);
      const hit = { title: 'Boats', role: 'user', at: '2026-01-31', snippet: 'an [oak] rudder' };
      return Promise.resolve(query === 'oak' ? [hit] : []);
    },
  });
  beforeEach(() => asked.splice(0));

  it('says who said what in which chat, or that nothing was said', async () => {
    await using world = await newWorld({
      tools: () => [recallTool(host(false))],
      script: [useTools(['recall', { query: 'oak' }], ['recall', { query: 'elm', limit: 3 }]), answer('So.')],
    });
    await world.answered('Go');
    assert.deepEqual(
      toolResultsOf(request(world.server, 2)).map(({ result }) => result),
      ['- user in “Boats”, 2026-01-31: an [oak] rudder', 'Nothing was said about it.'],
    );
    assert.deepEqual(asked, ['oak true 8', 'elm true 3']);
  });

  it('asks the user first where others read the chats', async () => {
    const person = new Person(() => 'deny');
    await using world = await newWorld({
      tools: () => [recallTool(host(true))],
      approvals: person.approvals,
      script: [useTools(['recall', { query: 'oak' }]), answer('So.')],
    });
    await world.answered('Go');
    assert.deepEqual(
      person.asked.map(({ kind }) => kind),
      ['recall'],
    );
    assert.deepEqual(asked, []);
  });
});
