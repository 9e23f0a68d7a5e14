import assert from 'node:assert/strict';
import { OffshootError } from '../../../src/engine/errors.ts';
import { verbatim } from '../../../src/engine/messageDescriptor.ts';
import type { Beyond } from '../../../src/extension/models/beyondBudget.ts';
import type { CapContext } from '../../../src/extension/models/raiseCap.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

const stopped = new OffshootError('budget-reached', verbatim('Stopped by your budget.'));

/** Presses a button each time, and enters a new cap. */
async function perform(
  buttons: readonly (string | undefined)[],
  work: (how: Beyond) => Promise<string>,
): Promise<{ readonly result: string | undefined; readonly told: string[]; readonly budget: unknown }> {
  let budget: unknown = { perDay: { dollars: 1 } };
  const told: string[] = [];
  const window = {
    showErrorMessage: (text: string, _options: object, ...items: { title: string }[]) => {
      const wanted = buttons[told.length];
      told.push(`${text} ${items.map(({ title }) => title).join(' | ')}`);
      return Promise.resolve(items.find(({ title }) => title === wanted));
    },
    showInputBox: ({ value }: { value: string }) => Promise.resolve(value),
  };
  const settings = {
    get: () => budget,
    set: (_name: string, value: unknown) => Promise.resolve((budget = value)),
  } as unknown as CapContext['settings'];
  // The input for a cap is loaded when it is asked for.
  const performed = async (): Promise<string | undefined> => {
    const { withinBudget } = await import('../../../src/extension/models/beyondBudget.ts');
    return withinBudget({ settings }, work);
  };
  return { result: await withVsCodeStub(performed, { window }), told, budget };
}

describe('a request outside of an answer that the budget stops', () => {
  const offered = 'Stopped by your budget. Continue Once | Raise Cap…';

  it('is made once more beyond the cap, and stopped again', async () => {
    const tries: boolean[] = [];
    const done = await perform(['Continue Once', undefined], ({ beyond }) => {
      tries.push(beyond?.take() ?? false);
      return Promise.reject(stopped);
    });
    assert.deepEqual([tries, done.result, done.told], [[false, true], undefined, [offered, offered]]);
  });

  it('is made within a raised cap', async () => {
    let tries = 0;
    const done = await perform(['Raise Cap…'], ({ beyond }) => {
      tries += 1;
      assert.equal(beyond, undefined);
      return tries === 1 ? Promise.reject(stopped) : Promise.resolve('done');
    });
    assert.deepEqual([done.result, done.budget], ['done', { perDay: { dollars: 2 } }]);
  });

  it('fails as ever where something else is wrong', async () => {
    await assert.rejects(
      perform([], () => Promise.reject(new Error('offline'))),
      /offline/u,
    );
  });
});
