import assert from 'node:assert/strict';
import type { ChatModel, ModelSource } from '../../../src/models/chatModel.ts';
import { DEMO_MODEL_ID, DemoModelSource } from '../../../src/models/demo/demoModel.ts';
import { ModelError } from '../../../src/models/errors/modelErrors.ts';
import { ModelRegistry } from '../../../src/models/modelRegistry.ts';

function named(id: string): ChatModel {
  return {
    id,
    label: id,
    isDemo: false,
    open: () => Promise.reject(new ModelError('unused', 'Not opened here.')),
  };
}

function sourceOf(id: string, models: readonly ChatModel[]): ModelSource {
  return {
    id,
    list: () => Promise.resolve(models),
    find: (wanted) => Promise.resolve(models.find((model) => model.id === wanted)),
  };
}

const away: ModelSource = {
  id: 'away',
  list: () => Promise.reject(new ModelError('model-list', 'Start the server.')),
  find: () => Promise.resolve(undefined),
};

const registryOf = (chosen: string | undefined, ...sources: ModelSource[]): ModelRegistry =>
  new ModelRegistry({ sources, chosen: () => chosen });

describe('the models there are', () => {
  it('are those of every source, also when one of them fails, whose reason is told', async () => {
    const { models, problems } = await registryOf(
      undefined,
      sourceOf('a', [named('a:1')]),
      away,
      new DemoModelSource(),
    ).list();
    assert.deepEqual(
      models.map((model) => model.id),
      ['a:1', DEMO_MODEL_ID],
    );
    assert.deepEqual(problems, [{ source: 'away', message: 'Start the server.' }]);
  });

  it('are found by their id in the source it names', async () => {
    const registry = registryOf(undefined, sourceOf('a', [named('a:1')]), sourceOf('b', [named('b:x:y')]));
    assert.equal((await registry.find('b:x:y'))?.id, 'b:x:y');
    assert.equal(await registry.find('b:1'), undefined);
    assert.equal(await registry.find('nowhere'), undefined);
  });
});

describe('the model to answer with', () => {
  it('is the demo while none was chosen', async () => {
    for (const chosen of [undefined, '']) {
      const model = await registryOf(chosen, sourceOf('a', [named('a:1')]), new DemoModelSource()).current();
      assert.equal(model.id, DEMO_MODEL_ID);
      assert.equal(model.isDemo, true);
    }
  });

  it('is the chosen one', async () => {
    const model = await registryOf('a:1', sourceOf('a', [named('a:1')]), new DemoModelSource()).current();
    assert.equal(model.id, 'a:1');
  });

  it('is never the demo in place of a chosen one that is away', async () => {
    const registry = registryOf('vscode:copilot/gpt', away, new DemoModelSource());
    await assert.rejects(registry.current(), {
      code: 'model-unavailable',
      message: /vscode:copilot\/gpt.*Select Model/s,
    });
  });

  it('has to be chosen where there is no demo', async () => {
    await assert.rejects(registryOf(undefined).current(), { code: 'no-model' });
  });
});
