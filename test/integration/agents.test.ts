import assert from 'node:assert/strict';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { answer } from '../fixtures/openaiServer.ts';
import { FolderFiles } from './folderFiles.ts';
import { ask, offshoot, useModelServer } from './support.ts';

describe('custom agents', () => {
  let api: Offshoot;
  const server = useModelServer(() => answer('done'));
  const files = new FolderFiles();

  before(async () => {
    api = await offshoot();
  });
  beforeEach(() => api.parts.current.startNew());

  it('are listed, narrow what a question may use, and have nothing asked once their file is gone', async () => {
    const { mode } = api.parts;
    const agents = await api.parts.agents.reader();
    const place = '.github/agents/looker.agent.md';
    const last = () => server().requests.at(-1)?.body;
    const tools = (): string[] => (last()?.tools ?? []).map((each) => each.function.name);
    assert.deepEqual(await agents.list(), []);
    await ask(api, 'before');
    const before = { system: last()?.messages[0], tools: tools() };
    try {
      await files.write(
        place,
        '---\nname: Looker\ndescription: Looks\ntools: [read, gone]\nmodel: Nowhere\n---\nLook closely.\n',
      );
      assert.deepEqual(await agents.list(), [{ name: 'Looker', detail: 'Looks', isUsable: true }]);
      assert.deepEqual(await agents.missingOf('Looker'), ['Nowhere', 'gone']);
      await mode.select('agent', 'Looker');
      await api.parts.current.startNew();
      await ask(api, 'as Looker');
      assert.match(JSON.stringify(last()?.messages[0]), /Look closely\./u);
      assert.ok(tools().includes('read_file') && !tools().includes('edit_file'), tools().join());
      await files.remove(place);
      const { length } = server().requests;
      await assert.rejects(ask(api, 'without its file'), { code: 'agent-missing' });
      assert.equal(server().requests.length, length);
      await mode.select('agent');
      await api.parts.current.startNew();
      await ask(api, 'after');
      assert.deepEqual({ system: last()?.messages[0], tools: tools() }, before);
    } finally {
      await mode.select('agent');
      await files.remove(place).catch(() => undefined);
    }
  });
});
