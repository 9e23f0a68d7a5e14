import assert from 'node:assert/strict';
import { ChatMarks } from '../../../src/conversation/chatMarks.ts';
import { isArchived, isPinned } from '../../../src/engine/chatFlags.ts';
import { tidyTrash } from '../../../src/conversation/deleteToTrash.ts';
import { ActiveBranchError } from '../../../src/engine/errors.ts';
import { TRASH_LIFETIME } from '../../../src/engine/trash.ts';
import { answer, hang, pause, say } from '../../fixtures/openaiServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';

/** A chat with the branches main, main-v2 and main-v3, the last one active. */
async function threeBranches(): Promise<ConversationWorld> {
  const world = await ConversationWorld.make([answer('1'), [say('half'), hang()], [say('half'), hang()]]);
  await world.answered('one');
  const first = await world.idAt(0);
  await world.conversations.rewind(first);
  await world.conversations.keepActiveBranch();
  await world.conversations.switchBranch('main');
  await world.conversations.rewind(first);
  await world.conversations.keepActiveBranch();
  return world;
}

const named = (name: string) => ({ chatId: CHAT, name });

describe('archiving', () => {
  it('passes over the active one of several branches, and brings them back', async () => {
    await using world = await threeBranches();
    const chosen = ['main', 'main-v3', 'main-v2'].map(named);
    const archived = await world.conversations.archiveBranches(chosen);
    assert.deepEqual(archived, ['main', 'main-v2'].map(named));
    assert.deepEqual(await world.branches(), ['main-v3*']);
    await world.conversations.unarchiveBranches(archived);
    assert.deepEqual(await world.branches(), ['main', 'main-v2', 'main-v3*']);
  });

  it('refuses the active branch alone', async () => {
    await using world = await threeBranches();
    await assert.rejects(world.conversations.archiveBranches([named('main-v3')]), ActiveBranchError);
  });

  it('stops the answers that were not chosen, and tells which it came to before it failed', async () => {
    await using world = await threeBranches();
    const model = await world.world.model();
    const run = await world.world.runs.start({ chatId: CHAT, branch: 'main-v2', model });
    await world.world.arrived(run, 'half');
    const { store } = world;
    const archiveBranch = store.archiveBranch.bind(store);
    const failure = new Error('disk full');
    store.archiveBranch = (chatId, name) =>
      name === 'main' ? Promise.reject(failure) : archiveBranch(chatId, name);
    const done = await world.conversations.archiveAlternatives(CHAT, ['main-v3', 'main-v2', 'main']);
    assert.deepEqual(done, { archived: [named('main-v2')], failure });
    assert.equal(run.status, 'interrupted');
    assert.deepEqual(await world.branches(), ['main', 'main-v3*']);
  });

  it('archives the open chat and leaves it, and opens it when it comes back', async () => {
    await using world = await threeBranches();
    const marks = new ChatMarks(world.parts, () => assert.fail());
    let changes = 0;
    marks.onDidChange(() => (changes += 1));
    const flags = async (): Promise<boolean[]> => {
      const chat = await world.store.getChat(CHAT);
      return chat ? [isPinned(chat), isArchived(chat)] : [];
    };
    await marks.setPinned(CHAT, true);
    await marks.archive(CHAT);
    assert.deepEqual(await flags(), [true, true]);
    assert.equal(world.current.steps.at(-1), 'leave');
    await marks.unarchive(CHAT);
    await marks.setPinned(CHAT, false);
    assert.deepEqual(await flags(), [false, false]);
    assert.equal(await world.current.chatId(), CHAT);
    assert.equal(changes, 4);
    marks.dispose();
  });
});

describe('deleting', () => {
  it('keeps what has arrived of a branch’s answer with it', async () => {
    await using world = await threeBranches();
    const model = await world.world.model();
    const run = await world.world.runs.start({ chatId: CHAT, branch: 'main-v2', model });
    await world.world.arrived(run, 'half');
    const entry = await world.conversations.deleteBranch(CHAT, 'main-v2');
    assert.deepEqual(await world.branches(), ['main', 'main-v3*']);
    await world.conversations.putBack(entry.id);
    assert.deepEqual(await world.world.texts('main-v2'), ['one', 'half']);
    assert.deepEqual(await world.store.trash.list(), []);
  });

  it('lets the answer of a branch that cannot be deleted go on', async () => {
    await using world = await threeBranches();
    const model = await world.world.model();
    const run = await world.world.runs.start({ chatId: CHAT, branch: 'main-v3', model });
    await world.world.arrived(run, 'half');
    await assert.rejects(world.conversations.deleteBranch(CHAT, 'main-v3'), ActiveBranchError);
    assert.equal(run.status, 'streaming');
  });

  it('saves the answers of a chat first, and leaves it where it was open', async () => {
    await using world = await threeBranches();
    const model = await world.world.model();
    const run = await world.world.runs.start({ chatId: CHAT, branch: 'main-v2', model });
    await world.world.arrived(run, 'half');
    const { entry, wasOpen } = await world.conversations.deleteChat(CHAT);
    assert.deepEqual([entry?.kind, entry?.chatId, wasOpen], ['chat', CHAT, true]);
    assert.equal(world.current.steps.at(-1), 'leave');
    await world.conversations.putBack(entry?.id ?? '');
    assert.deepEqual(await world.world.texts('main-v2'), ['one', 'half']);
    assert.equal((await world.conversations.deleteChat(CHAT)).wasOpen, false);
  });

  it('tells of a checkpoint only where there was one', async () => {
    await using world = await threeBranches();
    await world.conversations.createCheckpoint('here');
    assert.equal((await world.conversations.deleteCheckpoint(CHAT, 'here'))?.name, 'here');
    assert.equal(await world.conversations.deleteCheckpoint(CHAT, 'here'), undefined);
  });

  it('is for good after 30 days, by the window that writes', async () => {
    await using world = await threeBranches();
    await world.conversations.deleteBranch(CHAT, 'main');
    const now = Date.now();
    assert.equal((await world.conversations.tidyTrash(now))?.entries, 0);
    const { store } = world;
    const later = now + TRASH_LIFETIME + 60_000;
    const reader = {
      trash: store.trash,
      listChats: () => Promise.resolve([]),
      isReadOnly: true,
      isWriter: false,
    };
    assert.equal(await tidyTrash(reader, later), undefined);
    assert.equal((await store.trash.list()).length, 1);
    assert.equal((await world.conversations.tidyTrash(later))?.entries, 1);
    await world.conversations.deleteBranch(CHAT, 'main-v2');
    assert.equal((await world.conversations.emptyTrash()).entries, 1);
  });

  it('stops an answer or all of them by the chat that is open', async () => {
    await using world = await ConversationWorld.make([
      [say('half'), pause(), say(' more')],
      [say('half'), hang()],
      [say('half'), hang()],
    ]);
    const run = await world.conversations.ask('one');
    await world.world.arrived(run, 'half');
    await world.conversations.stop();
    assert.equal(run.status, 'interrupted');
    const more = [await world.conversations.ask('two'), await world.conversations.askSideQuestion('three')];
    for (const each of more) await world.world.arrived(each, 'half');
    await world.conversations.stopAll();
    assert.deepEqual(
      more.map(({ status }) => status),
      ['interrupted', 'interrupted'],
    );
  });
});
