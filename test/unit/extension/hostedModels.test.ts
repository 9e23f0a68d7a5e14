import assert from 'node:assert/strict';
import { hostedProviders } from '../../../src/models/modelProviders.ts';
import { createHostedSources } from '../../../src/models/providers/hosted/hostedSource.ts';
import { nodeHost } from '../../../src/host/node/nodeHost.ts';
import { modelAt, startProviderServer } from '../../fixtures/providerServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';
import { MemoryUriFiles } from '../../fixtures/memoryUriFiles.ts';

const KEY = 'k-1-of-the-test';

describe('the models of providers with a key', () => {
  const fetchOfNode = globalThis.fetch;

  // As it does after 300 s without a byte.
  beforeEach(() => (globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'))));
  afterEach(() => (globalThis.fetch = fetchOfNode));

  for (const { id } of hostedProviders) {
    it(`are waited for without a limit of time, and not asked with the fetch of Node: ${id}`, async () => {
      await using server = await startProviderServer({ key: KEY });
      await using world = await newWorld();
      const all = createHostedSources((provider) => ({
        keyFor: () => Promise.resolve(KEY),
        fetch: nodeHost({
          dist: 'file:///dist',
          appRoot: '/',
          editorFiles: new MemoryUriFiles(),
          storage: 'file:///storage',
        }).fetch,
        baseUrl: () => server.baseUrl(provider.id),
      }));
      const source = all.find(({ provider }) => provider.id === id) ?? assert.fail();
      await source.check(KEY);
      const model = (await source.find(modelAt(id))) ?? assert.fail();
      const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
      await run.done;
      assert.equal(run.error, undefined);
      assert.deepEqual(await world.texts(), ['Hello?', 'Good day']);
    });
  }
});
