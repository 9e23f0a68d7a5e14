import assert from 'node:assert/strict';
import pg from 'pg';
import type { PortableChat } from '../../../../src/engine/portableChat.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';

/** More messages than are read for a word in a search of all chats. */
const MESSAGES = 12_000;
const ASKED = 4_000;

/** Each message has a word that says nothing alone; one question has a rare one. */
const harbor: PortableChat = {
  id: 'harbor',
  metadata: {},
  createdAt: 1,
  updatedAt: 1,
  messages: Array.from({ length: MESSAGES }, (_, at): PortableChat['messages'][number] => {
    const id = `m${at}`;
    const name = at % 2 === 0 ? 'user' : 'assistant';
    const text = at === ASKED ? 'what became of the ocelot?' : 'the harbor once more';
    return {
      id,
      parentId: at === 0 ? null : `m${at - 1}`,
      name,
      type: 'message',
      data: { id, role: name, parts: [{ type: 'text', text }] },
      invocationId: id,
      createdAt: at,
    };
  }),
  branches: [
    {
      name: 'main',
      headMessageId: `m${MESSAGES - 1}`,
      forkMessageId: null,
      isActive: true,
      createdAt: 1,
    },
  ],
  checkpoints: [],
  events: [],
};

describe('a search on a PostgreSQL server for a word that nearly all messages have', () => {
  let url: string;
  let store: PostgresContextStore;
  beforeEach(async () => {
    url = (await databases.create())();
    store = new PostgresContextStore({ connectionString: url });
    await store.importChats('ann', [harbor]);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    // What is known of how frequent words are.
    await client.query('ANALYZE offshoot.messages');
    await client.end();
  });
  afterEach(async () => {
    await store.close();
    databases.giveBack(url);
  });

  it('counts it next to a rare one, and finds it alone', async function () {
    this.timeout(60_000);
    const found = async (query: string): Promise<string[]> =>
      (await store.searchAllMessages(query, { userId: 'ann', limit: 3 })).map(({ message }) => message.id);
    // The last word may be the beginning of one.
    for (const query of ['ocelot harbor', 'harbor ocelot']) {
      const [first, ...next] = await found(query);
      assert.equal(first, `m${ASKED}`);
      assert.deepEqual(next.sort(), [`m${ASKED - 1}`, `m${ASKED + 1}`]);
    }
    assert.equal((await found('harbor')).length, 3);
  });
});
