import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { DismissedSideQuestions } from '../../../../src/extension/chat/dismissedSideQuestions.ts';
import { WorkspaceAllowances } from '../../../../src/extension/tools/allowances.ts';
import { nodePlatform } from '../../../../src/host/node/nodePlatform.ts';
import { DurableContextStore } from '../../../../src/store/durableContextStore.ts';
import { beginningOf } from '../../../../src/store/common/messageContent.ts';
import { dump } from '../../../fixtures/upgrade/dump.ts';

const fixtures = path.resolve('test', 'fixtures', 'upgrade');
const versions = ['0.1.0', 'schema-2'];

const read = async (version: string, name: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(fixtures, version, name), 'utf8'));
const expectedShape = z.looseObject({
  chats: z.array(
    z.looseObject({
      id: z.string(),
      userId: z.string(),
      events: z.array(z.looseObject({ userId: z.string().optional() })),
      branches: z.array(z.looseObject({ headMessageId: z.string().nullable(), messageCount: z.number() })),
      siblings: z.array(z.tuple([z.string(), z.array(z.string())])),
      graph: z.looseObject({ nodes: z.array(z.looseObject({ content: z.string() })) }),
      exported: z.looseObject({
        messages: z.array(
          z.looseObject({
            id: z.string(),
            parentId: z.string().nullable(),
            name: z.string(),
            type: z.string(),
          }),
        ),
      }),
    }),
  ),
  drafts: z.array(z.looseObject({ chatId: z.string(), userId: z.string().optional() })),
  trash: z.array(z.looseObject({ kind: z.string(), subject: z.unknown().optional() })),
});

/** The question of the branch that was deleted in each of them. */
const ABOUT_DELETED = { id: 'q5', role: 'user', parts: [{ type: 'text', text: 'By the way' }] };

/**
 * What the version showed, with what is meant to be another since: a branch counted nodes that hold only changes as
 * messages, a question and an answer after the same message were versions of each other, nothing said whose events and
 * drafts are, since all were the owner's, the nodes of the graph had whole texts, and nothing said what a deleted branch
 * was about.
 */
async function expectedOf(version: string): Promise<unknown> {
  const expected = expectedShape.parse(await read(version, 'expected.json'));
  for (const draft of expected.drafts) {
    draft.userId ??= expected.chats.find((chat) => chat.id === draft.chatId)?.userId;
  }
  for (const entry of expected.trash) {
    if (entry.kind === 'branch') entry.subject = ABOUT_DELETED;
  }
  for (const chat of expected.chats) {
    const { branches, exported, events, graph, userId } = chat;
    for (const node of graph.nodes) node.content = beginningOf(node.content);
    for (const event of events) event.userId ??= userId;
    const byId = new Map(exported.messages.map((message) => [message.id, message]));
    chat.siblings = chat.siblings
      .map(([id, ids]): [string, string[]] => [
        id,
        ids.filter((other) => byId.get(other)?.name === byId.get(id)?.name),
      ])
      .filter(([, ids]) => ids.length > 1);
    for (const branch of branches) {
      branch.messageCount = 0;
      for (let at = byId.get(branch.headMessageId ?? ''); at; at = byId.get(at.parentId ?? '')) {
        if (at.type === 'message') branch.messageCount += 1;
      }
    }
  }
  return expected;
}

const withHits = z.looseObject({
  hits: z.record(z.string(), z.array(z.tuple([z.string(), z.string()]).rest(z.unknown()))),
});

/** Searches find what they found; later versions find more, and show other parts of it. */
async function assertShown(store: ContextStore, version: string, when = ''): Promise<void> {
  const { hits: found, ...shown } = withHits.parse(asJson(await dump(store)));
  const { hits, ...expected } = withHits.parse(await expectedOf(version));
  assert.deepEqual(shown, expected, when);
  for (const [query, earlier] of Object.entries(hits)) {
    const ids = new Set(found[query]?.map(([chat, id]) => `${chat} ${id}`));
    const lost = earlier.filter(([chat, id]) => !ids.has(`${chat} ${id}`));
    assert.deepEqual(lost, [], query);
  }
}

/** As a file of JSON would hold it. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

for (const version of versions) {
  describe(`what version ${version} left behind`, function () {
    this.timeout(60_000);
    let folder: string;
    const opened: DurableContextStore[] = [];

    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'offshoot-upgrade-'));
      await cp(path.join(fixtures, version, 'storage'), folder, { recursive: true });
      for (const name of (await readdir(folder)).filter((each) => each.endsWith('.gz'))) {
        const file = path.join(folder, name);
        await writeFile(file.slice(0, -'.gz'.length), gunzipSync(await readFile(file)));
        await rm(file);
      }
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
      await rm(folder, { recursive: true, force: true });
    });

    const open = (): DurableContextStore => {
      const fail = (problem: unknown): never => {
        throw problem instanceof Error ? problem : new Error(JSON.stringify(problem));
      };
      const options = { folder, platform: nodePlatform('dist'), onRecovery: fail, onError: fail };
      const store = new DurableContextStore(options);
      opened.push(store);
      return store;
    };

    it('is shown unchanged, and again after it was opened and closed', async () => {
      for (let time = 1; time <= 2; time++) {
        const store = open();
        await assertShown(store, version, `time ${time}`);
        assert.equal(store.isReadOnly, false);
        await store.close();
      }
    });

    it('is shown unchanged to a window that does not write', async () => {
      const writer = open();
      await writer.listChats();
      const reader = open();
      await assertShown(reader, version);
      assert.equal(reader.isWriter, false);
    });

    it('is shown unchanged from its backup', async () => {
      await rm(path.join(folder, 'offshoot.db'));
      await assertShown(open(), version);
    });

    it('is gone on with, and its trash brought back', async () => {
      const store = open();
      const context = new ContextEngine({ store, chatId: 'main-chat', userId: 'local' });
      const before = (await context.resolve()).messages.length;
      await context.set(user('Gone on with')).save();
      for (const { id } of await store.trash.list()) await store.trash.restore(id);
      await context.close();
      await store.close();
      const again = open();
      assert.deepEqual(await again.trash.list(), []);
      const head = (await again.getActiveBranch('main-chat'))?.headMessageId ?? '';
      const path = await again.getPath('main-chat', head);
      assert.equal(path.filter(({ type }) => type === 'message').length, before + 1);
      assert.ok(await again.getChat('deleted'));
      assert.equal((await again.searchAllMessages('"gone on with"')).length, 1);
    });

    it('leaves what the workspace remembers of the user readable', async () => {
      const state = (await read(version, 'workspaceState.json')) as Readonly<Record<string, unknown>>;
      const memory = {
        keys: () => Object.keys(state),
        get: (key: string, fallback?: unknown) => state[key] ?? fallback,
        update: () => Promise.resolve(),
      } as ConstructorParameters<typeof WorkspaceAllowances>[0];
      const [branchId = ''] = state['offshoot.dismissedAsides'] as string[];
      assert.equal(new WorkspaceAllowances(memory).has('write'), true);
      assert.equal(new DismissedSideQuestions(memory).has(branchId), true);
      const store = open();
      assert.ok(await store.getChat(String(state['offshoot.currentChat'])));
    });
  });
}
