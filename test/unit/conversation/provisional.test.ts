import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answer, hang, refuse, say } from '../../fixtures/openaiServer.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';
import { noFiles } from '../../fixtures/noFiles.ts';

/** What a user may do without a word. */
type Click =
  | { readonly kind: 'rewind'; readonly message: number }
  | { readonly kind: 'restore' | 'undo' | 'redo' }
  | { readonly kind: 'switch'; readonly branch: number };

const click: fc.Arbitrary<Click> = fc.oneof(
  fc.record({ kind: fc.constant('rewind' as const), message: fc.nat(3) }),
  fc.record({ kind: fc.constantFrom('restore' as const, 'undo' as const, 'redo' as const) }),
  fc.record({ kind: fc.constant('switch' as const), branch: fc.nat(2) }),
);

/** A chat of two turns with a second branch that has a turn of its own, and a checkpoint. */
async function twoBranches(script: Parameters<typeof ConversationWorld.make>[0] = []): Promise<{
  readonly world: ConversationWorld;
  readonly ids: readonly string[];
}> {
  const world = await ConversationWorld.make([answer('1'), answer('2'), answer('3'), ...(script as never[])]);
  await world.answered('one');
  await world.answered('two');
  const ids = await Promise.all([0, 1, 2, 3].map((index) => world.idAt(index)));
  await world.conversations.createCheckpoint('here', ids[1]);
  await world.conversations.rewind(ids[1] ?? '');
  await world.answered('instead of two');
  await world.conversations.switchBranch('main');
  return { world, ids };
}

async function perform(
  { conversations, store }: ConversationWorld,
  ids: readonly string[],
  each: Click,
): Promise<void> {
  if (each.kind === 'rewind') await conversations.rewind(ids[each.message] ?? '');
  else if (each.kind === 'restore') await conversations.restore('here');
  else if (each.kind === 'switch') {
    const branches = await store.listBranches(CHAT);
    const branch = branches[each.branch % branches.length];
    if (branch) await conversations.switchBranch(branch.name);
  } else {
    const history = conversations.history(noFiles);
    await history.take(each.kind);
  }
}

describe('branches made by a click', () => {
  it('are gone after any clicks without a word, fuzz', async () => {
    const { world, ids } = await twoBranches();
    await using _closed = world;
    const before = await world.branches();
    assert.deepEqual(before, ['main*', 'main-v2']);
    await fc.assert(
      fc.asyncProperty(fc.array(click, { maxLength: 12 }), async (clicks) => {
        for (const each of clicks) {
          await perform(world, ids, each);
          const now = await world.branches();
          // Where one is, and what holds something.
          assert.ok(now.length <= 3, now.join());
          assert.ok(
            now.every((name) => /^main(-v\d+)?\*?$/.test(name)),
            now.join(),
          );
        }
        await world.conversations.switchBranch('main');
        assert.deepEqual(await world.branches(), before);
      }),
      { numRuns: fuzzRuns(25) },
    );
  });

  it('leave those that hold something after twenty rewinds', async () => {
    const { world, ids } = await twoBranches([answer('4')]);
    await using _closed = world;
    for (let count = 0; count < 20; count += 1) {
      await world.conversations.rewind(ids[count % 4] ?? '');
      if (count === 10) await world.answered('said on the way');
    }
    assert.equal((await world.branches()).length, 4);
    await world.conversations.switchBranch('main');
    const kept = await world.store.listBranches(CHAT);
    assert.equal(kept.length, 3);
    for (const { headMessageId, forkMessageId, name } of kept.slice(1)) {
      assert.notEqual(headMessageId, forkMessageId, name);
    }
  });

  it('serve a second rewind to the same message', async () => {
    const { world, ids } = await twoBranches();
    await using _closed = world;
    const first = await world.conversations.rewind(ids[1] ?? '');
    const again = await world.conversations.rewind(ids[1] ?? '');
    assert.deepEqual([again.from, again.to.name], [first.to.name, first.to.name]);
  });

  it('come back with an undo, and stay gone for good where it is not asked for', async () => {
    const { world, ids } = await twoBranches();
    await using _closed = world;
    const { to } = await world.conversations.rewind(ids[1] ?? '');
    await world.conversations.switchBranch('main-v2');
    assert.equal((await world.branches()).length, 2);
    await perform(world, ids, { kind: 'undo' });
    assert.deepEqual(await world.branches(), ['main', 'main-v2', `${to.name}*`]);
    assert.equal((await world.branch(to.name)).headMessageId, ids[1]);
    await perform(world, ids, { kind: 'redo' });
    assert.deepEqual(await world.branches(), ['main', 'main-v2*']);
  });

  it('stay for a draft, until it is sent as another version of the question', async () => {
    const { world, ids } = await twoBranches([answer('4')]);
    await using _closed = world;
    const { to } = await world.conversations.rewind(ids[2] ?? '');
    await world.conversations.keepActiveBranch();
    await world.conversations.switchBranch('main');
    await world.conversations.switchBranch(to.name);
    await world.answered('asked differently');
    const { headMessageId } = (await world.store.getActiveBranch(CHAT)) ?? {};
    const path = (await world.store.getPath(CHAT, headMessageId ?? '')).map(({ id }) => id);
    assert.ok(!path.includes(ids[2] ?? ''), 'the question that it replaces');
    assert.ok(!(await world.branches()).some((name) => name.replace('*', '') === to.name));
  });

  it('stay where they are to be kept, as for a draft that is not stored', async () => {
    const { world, ids } = await twoBranches();
    await using _closed = world;
    const { to } = await world.conversations.rewind(ids[1] ?? '');
    await world.conversations.keepActiveBranch();
    await world.conversations.switchBranch('main');
    assert.ok((await world.branches()).includes(to.name));
  });

  it('stay while an answer is written on them', async () => {
    const { world, ids } = await twoBranches([[hang()]]);
    await using _closed = world;
    const { to } = await world.conversations.regenerate(ids[3] ?? '');
    await world.conversations.switchBranch('main');
    assert.ok((await world.branches()).includes(to.name));
    await world.world.runs.stopAll();
  });

  it('are not left behind by an answer that cannot begin', async () => {
    const { world, ids } = await twoBranches();
    await using _closed = world;
    const start = world.world.runs.start.bind(world.world.runs);
    world.world.runs.start = () => Promise.reject(new Error('no'));
    await assert.rejects(world.conversations.regenerate(ids[3] ?? ''), /no/);
    world.world.runs.start = start;
    assert.deepEqual(await world.branches(), ['main*', 'main-v2']);
  });
});

describe('an answer that failed without a word', () => {
  it('is tried again in place, and leaves no branch', async () => {
    await using world = await ConversationWorld.make([refuse(400, { message: 'no' }), answer('yes')]);
    await world.answered('one');
    const run = await world.conversations.retryAnswer('main');
    await run.done;
    assert.deepEqual(await world.world.texts('main'), ['one', 'yes']);
    assert.deepEqual(await world.branches(), ['main*']);
  });

  it('is tried again by asking the same once more, or by regenerating it', async () => {
    const no = refuse(400, { message: 'no' });
    await using world = await ConversationWorld.make([no, no, answer('yes')]);
    await world.answered('one');
    await world.answered('one');
    const { to } = await world.conversations.regenerate(await world.idAt(0));
    await world.world.runs.get(CHAT, to.name)?.done;
    assert.deepEqual(await world.world.texts('main'), ['one', 'yes']);
    assert.deepEqual(await world.branches(), ['main*']);
  });
});

describe('a question that was rewound to', () => {
  it('is answered again where it is sent unchanged, without a second copy of it', async () => {
    const { world, ids } = await twoBranches([answer('again')]);
    await using _closed = world;
    const { to } = await world.conversations.rewind(ids[2] ?? '');
    await world.answered('two');
    assert.deepEqual(await world.world.texts(to.name), ['one', '1', 'two', 'again']);
    assert.equal(await world.idAt(2), ids[2]);
    assert.deepEqual(await world.branches(), ['main', 'main-v2', `${to.name}*`]);
  });

  it('becomes another version where it is changed, in place of the branch of the click', async () => {
    const { world, ids } = await twoBranches([answer('other')]);
    await using _closed = world;
    const { to } = await world.conversations.rewind(ids[2] ?? '');
    await world.answered('two, corrected');
    const branches = await world.store.listBranches(CHAT);
    assert.equal(branches.length, 3);
    assert.ok(!branches.some(({ name }) => name === to.name));
    const active = branches.find(({ isActive }) => isActive);
    assert.deepEqual(await world.world.texts(active?.name ?? ''), ['one', '1', 'two, corrected', 'other']);
    const [, , corrected] = await world.conversations.path();
    assert.deepEqual([corrected?.parentId, corrected?.replaces], [ids[1], ids[2]]);
  });

  it('is edited on the page in one transaction, and the way back is there', async () => {
    const { world, ids } = await twoBranches([answer('other')]);
    await using _closed = world;
    const moved = await world.conversations.edit(ids[0] ?? '', 'uno');
    await world.world.runs.get(CHAT, moved.to.name)?.done;
    assert.deepEqual(await world.world.texts(moved.to.name), ['uno', 'other']);
    await perform(world, ids, { kind: 'undo' });
    assert.equal((await world.store.getActiveBranch(CHAT))?.name, 'main');
  });

  it('is a further question on a branch that nobody made by a click', async () => {
    const { world } = await twoBranches([[say('half'), hang()], answer('4')]);
    await using _closed = world;
    const run = await world.conversations.ask('three');
    await world.world.arrived(run, 'half');
    await world.conversations.stop();
    await world.answered('four');
    assert.deepEqual((await world.world.texts('main')).slice(-4), ['three', 'half', 'four', '4']);
  });
});
