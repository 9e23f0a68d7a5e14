import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import type { PortableChat } from '../../../src/engine/portableChat.ts';
import { writeConversations } from '../../../src/importExport/conversationsFile.ts';
import { importFile } from '../../../src/importExport/importFile.ts';
import { chatAsMarkdown } from '../../../src/importExport/markdownExport.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { building, perform, stepsOf } from '../../fixtures/randomChat.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
type File = { chats: PortableChat[]; blobs: Record<string, string> } & Record<string, unknown>;

describe('a file of conversations', () => {
  let store: SqlContextStore;
  let other: SqlContextStore;
  beforeEach(() => {
    store = memoryStore();
    other = memoryStore();
  });
  afterEach(async () => {
    await store.close();
    await other.close();
  });

  const talked = async (): Promise<ContextEngine> => {
    const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann', metadata: { kind: 'a' } });
    engine.set(user('one', { id: 'q1' }), assistant('first', { id: 'a1' }));
    engine.state.set('k', [1, { deep: null }]);
    await engine.artifacts.save('notes', Uint8Array.from([0, 255, 7]), { mediaType: 'text/plain' });
    await engine.save();
    await engine.checkpoint('after one');
    await engine.set(user('two', { id: 'q2' })).save();
    await engine.rewind('a1');
    await engine.set(user('deux', { id: 'q3' })).save();
    await store.updateChat('chat', { title: 'A *chat*' });
    await store.archiveBranch('chat', 'main');
    return engine;
  };
  const written = (): Promise<string> => writeConversations(store, ['chat'], 5);
  const fileOf = async (): Promise<File> => JSON.parse(await written()) as File;

  it('brings a chat whole to another place: tree, branches, checkpoints, log, state, and artifacts with their bytes', async () => {
    await talked();
    const file = await written();
    assert.deepEqual(await importFile(other, 'bob', encoded(file), 9), ['chat']);
    assert.deepEqual(await other.getGraph('chat'), await store.getGraph('chat'));
    assert.equal(await writeConversations(other, ['chat'], 5), file);
    assert.deepEqual(await other.getChat('chat'), { ...(await store.getChat('chat')), userId: 'bob' });
    const engine = new ContextEngine({ store: other, chatId: 'chat', userId: 'bob' });
    assert.deepEqual(await engine.state.get('k'), [1, { deep: null }]);
    assert.deepEqual([...((await engine.artifacts.load('notes'))?.data ?? [])], [0, 255, 7]);
    assert.equal((await other.searchAllMessages('deux')).length, 1);
    await engine.set(user('on')).save();
    await engine.rewind('q1');
    assert.equal((await other.deleteBranch('chat', 'main')).messageCount, 1);
  });

  it('is the same again when what it brought is written, whatever was done to the chat', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf(building, 25), async (steps) => {
        const [from, to] = [memoryStore(), memoryStore()];
        await from.upsertChat({ id: 'chat', userId: 'ann' });
        for (const step of steps) await perform(from, step);
        const file = await writeConversations(from, ['chat'], 5);
        await importFile(to, 'ann', encoded(file), 9);
        assert.equal(await writeConversations(to, ['chat'], 5), file);
        assert.deepEqual(await to.getGraph('chat'), await from.getGraph('chat'));
        await from.close();
        await to.close();
      }),
      { numRuns: 40 },
    );
  });

  it('says in the words of the platform which turn follows which, and reads none of that', async () => {
    await talked();
    const file = await fileOf();
    const [chat] = file.chats as (PortableChat & { headTurnId: unknown; turns: unknown[] })[];
    assert.ok(chat);
    const turnOf = (id: string): string | undefined =>
      chat.messages.find((message) => message.id === id)?.invocationId;
    const [one, two, three] = ['q1', 'q2', 'q3'].map(turnOf);
    assert.equal(turnOf('a1'), one);
    assert.equal(chat.headTurnId, three);
    assert.deepEqual(chat.turns, [
      { id: one, parentTurnId: null },
      { id: two, parentTurnId: one },
      { id: three, parentTurnId: one },
    ]);
    // Older files have neither; others may be wrong.
    const { headTurnId: _head, turns: _turns, ...older } = chat;
    const wrong = { ...chat, id: 'wrong', headTurnId: 'nowhere', turns: [{ id: 'x', parentTurnId: 'x' }] };
    const text = JSON.stringify({ ...file, chats: [older, wrong] });
    await importFile(other, 'bob', encoded(text), 9);
    for (const id of ['chat', 'wrong']) {
      const again = JSON.parse(await writeConversations(other, [id], 5)) as { chats: (typeof wrong)[] };
      const [{ turns, headTurnId } = wrong] = again.chats;
      assert.deepEqual([turns, headTurnId], [chat.turns, chat.headTurnId]);
    }
  });

  it('gives a chat whose id is taken a new one, and leaves the other as it is', async () => {
    await talked();
    const file = await written();
    const before = await store.getGraph('chat');
    const [id = ''] = await importFile(store, 'ann', encoded(file), 9);
    assert.notEqual(id, 'chat');
    assert.deepEqual(await store.getGraph('chat'), before);
    assert.deepEqual(await store.getGraph(id), { ...before, chatId: id });
    assert.equal((await store.listChats()).length, 2);
  });

  it('never brings changes of files: they would be undone in a workspace they do not belong to', async () => {
    await talked();
    const file = await fileOf();
    const [effects] = file.chats[0]?.messages.flatMap((message) => message.effects ?? []) ?? [];
    assert.ok(effects);
    const version = { hash: 'a'.repeat(64), size: 1 };
    effects.files = [{ folder: 'file:///home', path: '.profile', before: version, after: null, at: 1 }];
    await importFile(other, 'ann', encoded(JSON.stringify(file)), 9);
    const brought = (await other.exportChat('chat')).messages.flatMap((message) => message.effects ?? []);
    assert.deepEqual(
      brought.map(({ files, artifacts }) => [files, artifacts?.length]),
      [[undefined, 1]],
    );
  });

  describe('that is not as it should be is refused with the place of the fault, and nothing is imported', () => {
    const message = (file: File, index: number) => {
      const found = file.chats[0]?.messages[index];
      assert.ok(found);
      return found;
    };
    const branch = (file: File, index: number) => {
      const found = file.chats[0]?.branches[index];
      assert.ok(found);
      return found;
    };
    const faults: Record<string, [(file: File) => void, RegExp]> = {
      'a later version': [(file) => Object.assign(file, { version: 2 }), /the file\.version: /],
      'a parent that comes later': [
        (file) => Object.assign(message(file, 0), { parentId: 'q3' }),
        /chats\[0\]\.messages\[0\]\.parentId: no message before it has the id "q3"/,
      ],
      'a message that is its own parent': [
        (file) => Object.assign(message(file, 1), { parentId: 'a1' }),
        /chats\[0\]\.messages\[1\]\.parentId: /,
      ],
      'an id twice': [
        (file) => Object.assign(message(file, 1), { id: 'q1' }),
        /messages\[1\]\.id: the id "q1"/,
      ],
      'an id that is none': [(file) => Object.assign(message(file, 2), { id: '\0' }), /messages\[2\]\.id: /],
      'half a character': [
        (file) => Object.assign(message(file, 0), { data: '\ud800' }),
        /messages\[0\]\.data: /,
      ],
      'a head that is not there': [
        (file) => Object.assign(branch(file, 0), { headMessageId: 'x' }),
        /branches\[0\]\.headMessageId: there is no such message/,
      ],
      'a fork off the path': [
        (file) => Object.assign(branch(file, 1), { forkMessageId: 'q2' }),
        /branches\[1\]\.forkMessageId: it does not lead to the head/,
      ],
      'a name twice': [(file) => Object.assign(branch(file, 1), { name: 'main' }), /branches\[1\]\.name: /],
      'a name of blanks': [(file) => Object.assign(branch(file, 1), { name: ' ' }), /branches\[1\]\.name: /],
      'two active branches': [
        (file) => Object.assign(branch(file, 0), { isActive: true }),
        /branches: 2 of them/,
      ],
      'a parent that is no branch': [
        (file) => Object.assign(branch(file, 1), { parentBranch: 'x' }),
        /branches\[1\]\.parentBranch: /,
      ],
      'a checkpoint of nothing': [
        (file) => file.chats[0]?.checkpoints.push({ name: 'x', messageId: 'x', createdAt: 0 }),
        /checkpoints\[1\]\.messageId: /,
      ],
      'a time that no date holds': [
        (file) => Object.assign(message(file, 0), { createdAt: Number.MAX_SAFE_INTEGER }),
        /createdAt: /,
      ],
      'state of the user that passes for the conversation’s': [
        (file) => Object.assign(message(file, 0), { effects: { state: { set: { 'user:name': 'x' } } } }),
        /messages\[0\]\.effects: /,
      ],
      'an id without end': [
        (file) => Object.assign(message(file, 1), { parentId: 'x'.repeat(1_000_000) }),
        /^.{0,700}$/,
      ],
      'a time that is none': [(file) => Object.assign(message(file, 0), { createdAt: 1e300 }), /createdAt: /],
      'bytes that are others': [
        (file) => Object.keys(file.blobs).forEach((hash) => (file.blobs[hash] = 'AAAA')),
        /blobs\.[0-9a-f]{64}: the bytes are others/,
      ],
      'bytes that are none': [
        (file) => Object.keys(file.blobs).forEach((hash) => (file.blobs[hash] = '%')),
        /blobs\.[0-9a-f]{64}: /,
      ],
      'a second chat at fault': [
        (file) => file.chats.push(...structuredClone(file.chats).map((chat) => ({ ...chat, branches: [] }))),
        /chats\[1\]\.branches: /,
      ],
    };
    for (const [what, [spoil, expected]] of Object.entries(faults)) {
      it(what, async () => {
        await talked();
        const file = await fileOf();
        spoil(file);
        const importing = importFile(other, 'ann', encoded(JSON.stringify(file)), 9);
        await assert.rejects(importing, (error: Error & { code?: string }) => {
          assert.equal(error.code, 'import-failed');
          assert.match(error.message, expected);
          return true;
        });
        assert.deepEqual(await other.listChats(), []);
        assert.equal((await other.storageReport()).chats.length, 0);
      });
    }

    it('no JSON, no text, nothing, JSON of another kind, and nesting without end', async () => {
      const nested = `{"format":"offshoot-conversations","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
      const deep = await written().catch(() => '');
      assert.equal(deep, '');
      for (const bytes of [
        encoded(''),
        encoded('{'),
        encoded('[]'),
        encoded('{"format":"other"}'),
        encoded('null'),
        Uint8Array.from([0xff, 0xfe, 0]),
        encoded(nested),
      ]) {
        await assert.rejects(importFile(other, 'ann', bytes, 9), { code: 'import-failed' });
      }
      await talked();
      const file = await fileOf();
      const text = JSON.stringify(file).replace(
        '"kind":"a"',
        `"kind":${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      );
      await assert.rejects(importFile(other, 'ann', encoded(text), 9), { code: 'import-failed' });
    });

    it('a chat that lacks something, in one sentence that says what', async () => {
      const file = { format: 'offshoot-conversations', version: 1, exportedAt: 0, chats: [{}], blobs: {} };
      await assert.rejects(
        importFile(other, 'ann', encoded(JSON.stringify(file)), 9),
        ({ message }: Error) => {
          assert.match(
            message,
            /^This cannot be imported: the file\.chats\[0\]\.\S+: [^.]+\. Nothing was changed\.$/,
          );
          return true;
        },
      );
      const bare = { ...file, chats: [{ id: 'x', createdAt: 0, updatedAt: 0 }] };
      await assert.rejects(
        importFile(other, 'ann', encoded(JSON.stringify(bare)), 9),
        /metadata: .*is not part of JSON\. Nothing/,
      );
    });

    it('anything at all', async () => {
      await talked();
      const text = await written();
      await fc.assert(
        fc.asyncProperty(fc.nat(text.length), fc.nat(30), fc.string(), async (at, cut, put) => {
          const spoilt = text.slice(0, at) + put + text.slice(at + cut);
          try {
            for (const id of await importFile(other, 'ann', encoded(spoilt), 9)) {
              // What was taken is whole.
              for (const { headMessageId } of await other.listBranches(id, { includeArchived: true })) {
                if (headMessageId !== null) await other.getPath(id, headMessageId);
              }
              await other.deleteChat(id);
            }
          } catch (error) {
            assert.equal((error as { code?: string }).code, 'import-failed', String(error));
          }
        }),
      );
    });
  });

  it('reads as Markdown: the active branch whole, then what others have of their own', async () => {
    await talked();
    assert.equal(
      chatAsMarkdown(await store.exportChat('chat')),
      [
        '# A \\*chat\\*',
        '## Branch main-v2',
        '### You\n\none',
        '### Assistant\n\nfirst\n\n> Checkpoint: after one',
        '### You\n\ndeux',
        '## Branch main\n\nAfter “first”',
        '### You\n\ntwo\n',
      ].join('\n\n'),
    );
  });
});
