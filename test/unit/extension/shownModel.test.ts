import assert from 'node:assert/strict';
import { ShownModel } from '../../../src/extension/chat/shownModel.ts';
import type { ModelView } from '../../../src/protocol/chatFromHost.ts';

const chosen: ModelView = { id: 'openrouter:maker/large', label: 'maker/large', isDemo: false };
const found: ModelView = { ...chosen, label: 'Large', takesImages: true };

/** A server that answers when it is told to. */
function asked(selected?: ModelView) {
  const answers: ((model: ModelView) => void)[] = [];
  let finds = 0;
  const find = (): Promise<ModelView> => new Promise((resolve) => answers.push(resolve));
  const model = new ShownModel(
    find,
    () => selected,
    () => (finds += 1),
  );
  return { model, answer: (given: ModelView) => answers.shift()?.(given), finds: () => finds };
}

describe('the model that a conversation shows', () => {
  it('is not waited for where a server has to be asked, and follows', async () => {
    const { model, answer, finds } = asked(chosen);
    const shown = model.look();
    assert.deepEqual(await shown(), chosen);
    answer(found);
    assert.deepEqual(await model.look()(), found, 'what is known is shown at once');
    assert.equal(finds(), 1);
  });

  it('is not said to be new when it is what was shown', async () => {
    const { model, answer, finds } = asked(chosen);
    assert.deepEqual(await model.look()(), chosen);
    answer(chosen);
    assert.deepEqual(await model.look()(), chosen);
    assert.equal(finds(), 0);
  });

  it('comes with the conversation where it is found meanwhile', async () => {
    const { model, answer, finds } = asked(chosen);
    const shown = model.look();
    answer(found);
    assert.deepEqual(await shown(), found);
    assert.equal(finds(), 0);
  });

  it('is no longer what was chosen before', async () => {
    let given = chosen;
    const other: ModelView = { id: 'openai:small', label: 'small', isDemo: false };
    const answers = [Promise.resolve(found), new Promise<ModelView>(() => undefined)];
    const model = new ShownModel(
      () => answers.shift() ?? assert.fail(),
      () => given,
      () => assert.fail('Nothing was shown in its place.'),
    );
    assert.deepEqual(await model.look()(), found);
    given = other;
    assert.deepEqual(await model.look()(), other);
  });

  it('is waited for where none was chosen, since it has no name', async () => {
    const { model, answer } = asked();
    const shown = model.look()();
    const demo: ModelView = { id: 'demo:offline', label: 'Offline demo', isDemo: true };
    answer(demo);
    assert.deepEqual(await shown, demo);
  });
});
