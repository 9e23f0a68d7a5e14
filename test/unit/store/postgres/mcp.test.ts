import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProgramWrites } from '../../../../src/conversation/programWrites.ts';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import { AskedAnswers } from '../../../../src/extension/mcp/answerAsked.ts';
import { nodePlatform } from '../../../../src/host/node/nodePlatform.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { DurableContextStore } from '../../../../src/store/durableContextStore.ts';
import { McpClient, serverOf } from '../../../fixtures/mcp/mcpClient.ts';
import { until } from '../../../fixtures/until.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';

describe('the MCP server over a shared store', () => {
  let url: (role?: string) => string;
  let folder: string;
  let ana: PostgresContextStore;
  const userId = 'ana';

  before(() => databases.addPeople('ana', 'bob'));
  beforeEach(async () => {
    url = await databases.create();
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-mcp-'));
    ana = new PostgresContextStore({ connectionString: url('ana'), maxConnections: 2 });
    await new ContextEngine({ store: ana, chatId: 'chat', userId })
      .set(user('Where do herons nest?', { id: 'q' }), assistant('In reed beds.', { id: 'a' }))
      .save();
  });
  afterEach(async () => {
    await ana.close();
    databases.giveBack(url());
    await rm(folder, { recursive: true, force: true });
  });

  it('reads what its user may read, and nothing of others', async () => {
    await using agent = await McpClient.start(serverOf(folder, '--shared', url('ana')));
    assert.match((await agent.call('list_branches', {})).text, /chat/);
    assert.match((await agent.call('read_path', { chat: 'chat' })).text, /In reed beds\./);
    assert.match((await agent.call('search_conversations', { query: 'herons' })).text, /nest/);
    await using other = await McpClient.start(serverOf(folder, '--shared', url('bob')));
    const refused = await other.call('read_path', { chat: 'chat' });
    assert.equal(refused.isError, true);
    assert.doesNotMatch(refused.text, /reed/);
    assert.doesNotMatch((await other.call('search_conversations', { query: 'herons' })).text, /nest\?/);
  });

  it('writes what is allowed in a window of the same workspace, and says so where there is none', async () => {
    await using agent = await McpClient.start(serverOf(folder, '--shared', url('ana')));
    const wanted = { chat: 'chat', name: 'nesting', message: 'a' };
    const alone = await agent.call('create_checkpoint', wanted);
    assert.equal(alone.isError, true);
    assert.match(alone.text, /window/iu);
    const answers = new AskedAnswers({
      reading: { store: ana, userId },
      writes: () =>
        Promise.resolve(new ProgramWrites({ store: ana, userId, runs: { get: () => undefined } })),
      labelOf: (_chat, branch) => Promise.resolve(branch),
      askUser: () => Promise.resolve(true),
    });
    const local = new DurableContextStore({
      folder,
      platform: nodePlatform('dist'),
      onAsk: (question) => answers.answer(question),
      onRecovery: () => assert.fail(),
      onError: (error) => assert.fail(String(error)),
    });
    try {
      await local.listChats({ limit: 1, details: false });
      await until(
        async () => (await readdir(folder)).some((name) => name.endsWith('.channel')),
        'the window can be asked',
      );
      const allowed = await agent.call('create_checkpoint', wanted);
      assert.equal(allowed.isError, false, allowed.text);
      assert.deepEqual(
        (await ana.listCheckpoints('chat')).map(({ name }) => name),
        ['nesting'],
      );
    } finally {
      await local.close();
    }
  });

  it('is not started with half of what it needs', async () => {
    await assert.rejects(McpClient.start({ ...serverOf(folder), args: ['dist/mcp.mjs', '--shared', url()] }));
  });
});
