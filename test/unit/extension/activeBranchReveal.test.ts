import assert from 'node:assert/strict';
import { activeBranchReveal } from '../../../src/extension/tree/activeBranchReveal.ts';

describe('the row of the active branch', () => {
  let rows: string[];
  let active: { readonly id: string };
  let isVisible: boolean;
  const view = {
    isVisible: () => isVisible,
    activeBranch: () => Promise.resolve(active),
    reveal: (node: { readonly id: string }) => Promise.resolve(void rows.push(node.id)),
  };
  beforeEach(() => {
    rows = [];
    active = { id: 'main' };
    isVisible = true;
  });

  it('is revealed once for each branch that becomes active', async () => {
    const reveal = activeBranchReveal(view);
    await reveal();
    await reveal();
    active = { id: 'main-v2' };
    await reveal();
    assert.deepEqual(rows, ['main', 'main-v2']);
  });

  it('is not revealed in a view that was left while the branch was read, but when it is back', async () => {
    let leaves = true;
    const activeBranch = (): Promise<{ id: string }> => {
      if (leaves) isVisible = false;
      return view.activeBranch();
    };
    const reveal = activeBranchReveal({ ...view, activeBranch });
    await reveal();
    assert.deepEqual(rows, []);
    leaves = false;
    isVisible = true;
    await reveal();
    assert.deepEqual(rows, ['main']);
  });
});
