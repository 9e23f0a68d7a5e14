import assert from 'node:assert/strict';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user, type Fragment } from '../../../src/engine/fragments/index.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

describe('what the trash calls a branch', () => {
  it('is its question, as in the tree, or the title or name it was given', async () => {
    const { deletedLabel } = await withVsCodeStub(
      () => import('../../../src/extension/branches/trashCommands.ts'),
    );
    const store = memoryStore();
    const engine = new ContextEngine({ store, chatId: 'c', userId: 'ann' });
    await engine.set(user('How would you split it?'), assistant('So.')).save();
    const question = (await store.getPath('c', engine.headMessageId ?? ''))[0]?.id ?? null;
    const branchWith = async (at: string | null, ...said: readonly Fragment[]): Promise<string> => {
      const { name } = await store.addBranch({
        chatId: 'c',
        from: 'main',
        messageId: at,
        activate: true,
        event: 'rewound',
      });
      const branch = new ContextEngine({ store, chatId: 'c', userId: 'ann', branch: name });
      if (said.length > 0) await branch.set(...said).save();
      await store.activateBranch('c', 'main');
      return name;
    };
    const labelOf = async (name: string) => deletedLabel(store, await store.deleteBranch('c', name));
    assert.equal(await labelOf(await branchWith(null, user('And by rules?'))), 'And by rules?');
    assert.equal(await labelOf(await branchWith(question, assistant('Or so.'))), 'How would you split it?');
    assert.equal(await labelOf(await branchWith(question)), 'New branch');
    const named = await branchWith(null, user('Third'));
    await store.renameBranch('c', named, 'by chance');
    assert.equal(await labelOf('by chance'), 'by chance');
  });
});
