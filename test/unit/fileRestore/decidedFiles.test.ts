import assert from 'node:assert/strict';
import { Ledgers } from '../../../src/agent/ledger/ledgers.ts';
import { keyOf } from '../../../src/files/contentVersion.ts';
import { readDecidedFiles } from '../../../src/files/decidedFiles.ts';
import { readEditsToReview, reviewedDetails } from '../../../src/files/editsToReview.ts';
import { logReviewed } from '../../../src/conversation/userWrites.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { CHAT, FilesWorld } from '../../worlds/filesWorld.ts';

/** Undoes all edits of a file that wait for review, as the user does. */
async function undo(world: FilesWorld, path: string): Promise<void> {
  const edits = await readEditsToReview(world.store, CHAT);
  const edit = edits.find(({ location }) => keyOf(location) === keyOf(world.workspace.at(path)));
  const { location, baseline } = edit ?? assert.fail();
  const restorer = world.restorer();
  const plan = await restorer.previewDecision(CHAT, [{ location, version: baseline, baseline }]);
  await restorer.restore(CHAT, plan, plan.files, { why: 'edits' });
}

describe('what the user decided about edits of the agent', () => {
  it('is in the ledger of what came before, also if it was decided after the summary', async () => {
    await using world = await FilesWorld.make();
    await world.turn({ 'one.txt': 'a', 'two.txt': 'a', 'three.txt': 'a' });
    await undo(world, 'one.txt');
    await world.engine.set(user('go on'), assistant('yes', { id: 'last' })).save();
    const changes = async (): Promise<readonly string[]> => {
      const ledger = await new Ledgers(world.store).preview(CHAT, 'last', { facts: 1_000, kept: 0 });
      return ledger?.sections.find(({ kind }) => kind === 'change')?.entries ?? [];
    };
    const undone = 'created, then undone by the user: the file is as it was before';
    assert.deepEqual(await changes(), [`one.txt (${undone})`, 'two.txt (created)', 'three.txt (created)']);
    await undo(world, 'two.txt');
    assert.deepEqual((await changes())[1], `two.txt (${undone})`);
    const kept = [{ location: world.workspace.at('three.txt'), baseline: 'kept' as const }];
    const details = await reviewedDetails(world.store, CHAT, kept, world.now());
    await logReviewed(world.store, CHAT, details);
    assert.deepEqual((await changes())[2], 'three.txt (created)');
  });

  it('does not count for a branch that left before', async () => {
    await using world = await FilesWorld.make();
    const first = await world.turn({ 'one.txt': 'a' });
    const second = await world.turn({ 'two.txt': 'a' });
    await undo(world, 'one.txt');
    assert.equal((await readDecidedFiles(world.store, CHAT, second)).length, 1);
    assert.deepEqual(await readDecidedFiles(world.store, CHAT, first), []);
  });
});
