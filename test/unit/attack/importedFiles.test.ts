import assert from 'node:assert/strict';
import { readLineage } from '../../../src/extension/chat/pathForks.ts';
import { hiddenFromUser } from '../../../src/agent/context/hiddenFromUser.ts';
import { modelMessages } from '../../../src/agent/context/modelMessages.ts';
import { Imports, type ImportOutcome } from '../../../src/conversation/imports.ts';
import { readUIMessage } from '../../../src/engine/uiMessage.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { fixtureFile, sourceFile } from '../../fixtures/importOutline.ts';
import { conversationsJson, type FilePart } from '../../fixtures/conversationsJson.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const NOW = Date.parse('2026-02-01');

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Texts that would do something if anything but text were made of them. */
const hostileTitles: Readonly<Record<string, string>> = {
  'a script': '<script>globalThis.broken = 1</script>',
  'a handler': '"><img src=x onerror=globalThis.broken=1>',
  'a command link': '[x](command:workbench.action.quit)',
  'an icon': '$(zap) $(sync~spin)',
  'a template': '${globalThis.broken = 1} {{constructor.constructor("x")()}}',
  SQL: "'); DROP TABLE chats; --",
  'a path': '../../../etc/passwd',
  'a format': '{0} %s %n {1}',
  'an escape code': '\u001b]0;x\u0007\u001b[2J',
  'a turned line': 'invoice\u202egpj.exe',
  lines: 'one\r\ntwo\u2028three',
  'nothing to see': '\u200b\u2060\u3164\u00ad',
};

/** What no honest program writes, and what is refused for it. */
const refused: Readonly<Record<string, FilePart>> = {
  'a message that is its own parent': { message: '"parentId":"q"' },
  'a parent that is not there': { message: '"parentId":"gone"' },
  'a parent that comes later': { message: '"parentId":"a"' },
  'messages with one id': { answer: '"id":"q"' },
  'an id of nothing': { message: '"id":""' },
  'an id with a NUL': { message: '"id":"q\\u0000"' },
  'an id of half a character': { message: '"id":"\\ud800"' },
  'an id of a megabyte': { message: `"id":"${'q'.repeat(1_000_000)}"` },
  'a name with a NUL': { message: '"name":"user\\u0000"' },
  'a kind that is none': { message: '"type":"root"' },
  'a time before time': { message: '"createdAt":-1' },
  'a time that never comes': { message: '"createdAt":1e300' },
  'a time without an end': { message: '"createdAt":1e999' },
  'half a millisecond': { message: '"createdAt":0.5' },
  'a branch without a message of it': { branch: '"headMessageId":"gone"' },
  'a branch that forks from nothing': { branch: '"forkMessageId":"gone"' },
  'a branch whose parent is not there': { branch: '"parentBranch":"gone"' },
  'a branch with half a character in its name': { branch: '"name":"\\udfff"' },
  'a branch without a name': { branch: '"name":""' },
  'a branch of blanks': { branch: '"name":"  "' },
  'a branch with a NUL in its name': { branch: '"name":"a\\u0000b"' },
  'no branch': { chat: '"branches":[]' },
  'two active branches': {
    chat: `"branches":[${['a', 'b'].map((name) => `{"name":"${name}","headMessageId":null,"forkMessageId":null,"isActive":true,"createdAt":1}`).join()}]`,
  },
  'two branches of one name': {
    chat: `"branches":[${['true', 'false'].map((is) => `{"name":"a","headMessageId":null,"forkMessageId":null,"isActive":${is},"createdAt":1}`).join()}]`,
  },
  'a checkpoint of nothing': { chat: '"checkpoints":[{"name":"c","messageId":"gone","createdAt":1}]' },
  'two checkpoints of one name': {
    chat: '"checkpoints":[{"name":"c","messageId":"q","createdAt":1},{"name":"c","messageId":"a","createdAt":1}]',
  },
  'a title with a NUL': { chat: '"title":"\\u0000"' },
  'a title of half a character': { chat: '"title":"\\ud800"' },
  'metadata that are no object': { chat: '"metadata":[]' },
  'metadata without an end': { chat: `"metadata":{"a":${nested(100_000)}}` },
  'metadata with a number without an end': { chat: '"metadata":{"a":1e999}' },
  'a message without an end': { message: `"data":${nested(100_000)}` },
  'an event that is none': {
    chat: '"events":[{"kind":"allowed","details":{},"createdAt":1}]',
  },
  'messages that are one text': { chat: '"messages":"all of them"' },
  'messages in an object': { chat: '"messages":{"length":1e9}' },
  'bytes that are not those of their hash': {
    message: `"data":{"id":"q","role":"user","parts":[{"type":"file","mediaType":"image/png","url":"offshoot-blob:${'a'.repeat(64)}"}]}`,
    file: `"blobs":{"${'a'.repeat(64)}":"AAAA"}`,
  },
  'bytes that are no base64': { file: `"blobs":{"${'a'.repeat(64)}":"<svg>"}` },
  'bytes by a name of a path': { file: '"blobs":{"../../x":"AAAA"}' },
  'another version': { file: '"version":2' },
  'chats without an end': { file: `"chats":${nested(100_000)}` },
};

const branchOf = (name: string, parent: string, isActive: boolean): string =>
  JSON.stringify({
    name,
    headMessageId: 'a',
    forkMessageId: null,
    parentBranch: parent,
    isActive,
    createdAt: 1,
  });

/** What is taken, and comes to nothing. */
const harmless: Readonly<Record<string, FilePart>> = {
  'a branch that is its own parent': { branch: '"parentBranch":"main"' },
  'branches that are each other’s parents': {
    chat: `"branches":[${branchOf('a', 'b', true)},${branchOf('b', 'a', false)}]`,
  },
  'bytes that nothing names': { file: `"blobs":{"${'a'.repeat(64)}":"AAAA"}` },
  'bytes by the name of a prototype': { file: '"blobs":{"__proto__":"AAAA"}' },
  'a schema elsewhere': { file: '"$schema":"https://evil.example/x.json"' },
  'turns in a circle': { chat: '"headTurnId":"t","turns":[{"id":"t","parentTurnId":"t"}]' },
};

/** Keys that lead to what all objects share, wherever a key may stand. */
const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'] as const;
const places: Readonly<Record<string, (member: string) => FilePart>> = {
  'the file': (member) => ({ file: member }),
  'a chat': (member) => ({ chat: member }),
  'its metadata': (member) => ({ chat: `"metadata":{${member}}` }),
  'a message': (member) => ({ message: member }),
  'what it says': (member) => ({
    message: `"data":{"id":"q","role":"user","parts":[{"type":"text","text":"x"}],${member}}`,
  }),
  'a part of it': (member) => ({
    message: `"data":{"id":"q","role":"user","parts":[{"type":"text","text":"x",${member}}]}`,
  }),
  'its state': (member) => ({ message: `"effects":{"state":{"set":{${member}}}}` }),
  'a branch': (member) => ({ branch: member }),
};

/** What may be done to a record of any program. */
const spoilt: Readonly<Record<string, (text: string) => string>> = {
  'keys of prototypes': (text) => text.replaceAll('{"', '{"__proto__":{"polluted":true},"'),
  'keys of constructors': (text) => text.replaceAll('{"', '{"constructor":{"prototype":{"polluted":true}},"'),
  'parents in a circle': (text) => {
    const ids = [...text.matchAll(/"(?:uuid|id)":\s*"([^"]+)"/gu)].map(([, id = '']) => id);
    let count = 0;
    return text.replaceAll(
      /"(parentUuid|parentId|parent|parent_message_uuid)":\s*(?:null|"[^"]*")/gu,
      (_, key: string) => `"${key}":"${ids[count++ % ids.length] ?? ''}"`,
    );
  },
  'one id for all': (text) => text.replaceAll(/"(uuid|id)":\s*"[^"]+"/gu, '"$1":"one"'),
  'huge numbers': (text) => text.replaceAll(/:\s*\d+(?:\.\d+)?(?=[,}\]])/gu, ':1e999'),
  'times that are none': (text) => text.replaceAll(/"20\d\d-[^"]*"/gu, '"+275760-09-13T00:00:00.001Z"'),
  'roles that are none': (text) => text.replaceAll(/"(user|human|assistant)"/gu, '"system"'),
  'texts that are none': (text) => text.replaceAll(/"(text|content)":\s*"[^"]*"/gu, '"$1":{"toString":1}'),
  NULs: (text) => text.replaceAll(/"(title|name|text)":\s*"/gu, '"$1":"\\u0000\\ud800'),
  scripts: (text) =>
    text.replaceAll(
      /"(title|name|text|content)":\s*"/gu,
      '"$1":"<script>globalThis.broken=1</script>\\u202e',
    ),
};

const fixtures = [
  ['claude-code', 'branches.jsonl'],
  ['codex', 'rollout-rollback.jsonl'],
  ['cline', 'tools.json'],
  ['vscode', 'session.json'],
  ['pi', 'tree.jsonl'],
  ['chatgpt', 'conversations.json'],
  ['claude-ai', 'conversations.json'],
] as const;

describe('attack: an imported file', () => {
  let store: SqlContextStore;
  beforeEach(() => {
    store = memoryStore(() => NOW);
  });
  afterEach(async () => {
    assert.equal('polluted' in {}, false);
    assert.equal('broken' in globalThis, false);
    await store.close();
  });

  async function take(name: string, text: string): Promise<ImportOutcome> {
    const imports = new Imports(store, 'ann');
    const { signal } = new AbortController();
    const list = imports.list(signal);
    await imports.addFile(list, sourceFile(name, text), NOW);
    for (const { error } of list.unread) assert.equal((error as { code?: string }).code, 'import-failed');
    const outcome = await imports.take(
      list.batches.map((batch) => ({ batch, found: batch.found })),
      NOW,
      signal,
      () => undefined,
    );
    for (const { error } of outcome.failed) assert.match(String(error), /import/iu);
    return outcome;
  }

  /** All of it can be read, and the user sees what a model would get. */
  async function isWhole(chatId: string): Promise<void> {
    const { nodes } = await store.getGraph(chatId);
    const { messages, title = '' } = await store.exportChat(chatId);
    assert.equal(nodes.length, messages.length);
    assert.ok(title.isWellFormed() && !title.includes('\0'));
    for (const { id } of messages) {
      const path = await store.getPath(chatId, id);
      assert.equal(new Set(path.map((node) => node.id)).size, path.length, 'no circle');
      const read = path.flatMap(({ data }) => readUIMessage(data) ?? []);
      modelMessages(read);
      read.forEach(hiddenFromUser);
    }
  }

  it('is taken as it is written where it is honest', async () => {
    const { created } = await take('x.json', conversationsJson());
    assert.equal(created.length, 1);
    await isWhole(created[0] ?? '');
  });

  for (const [what, part] of Object.entries(refused)) {
    it(`is refused, and nothing of it kept, with ${what}`, async () => {
      const { created } = await take('x.json', conversationsJson(part));
      assert.deepEqual(created, []);
      assert.deepEqual(await store.listChats(), []);
      assert.equal(await store.blobs.get('a'.repeat(64)), undefined);
    });
  }

  for (const [what, part] of Object.entries(harmless)) {
    it(`is taken, and comes to nothing, with ${what}`, async () => {
      const { created } = await take('x.json', conversationsJson(part));
      const [id = assert.fail('it was refused')] = created;
      await isWhole(id);
      assert.equal(await store.blobs.get('a'.repeat(64)), undefined);
      const branches = await store.listBranches(id);
      for (const branch of branches) await readLineage(store, branch, branches);
      assert.doesNotMatch(JSON.stringify(await store.exportChat(id)), /evil\.example/u);
    });
  }

  for (const [where, partOf] of Object.entries(places)) {
    it(`changes no prototype by the keys of ${where}`, async () => {
      for (const key of keys) {
        const { created } = await take(
          'x.json',
          conversationsJson(partOf(`"${key}":{"polluted":true,"prototype":{"polluted":true}}`)),
        );
        for (const id of created) {
          await isWhole(id);
          const chat = await store.exportChat(id);
          assert.equal('polluted' in chat, false);
          assert.equal('polluted' in chat.metadata, false);
          for (const message of chat.messages) assert.equal('polluted' in message, false);
          await store.deleteChat(id);
        }
        assert.equal('polluted' in {}, false, key);
      }
    });
  }

  for (const [what, title] of Object.entries(hostileTitles)) {
    it(`has a title that is text alone: ${what}`, async () => {
      const { created } = await take(
        'x.json',
        conversationsJson({ chat: `"title":${JSON.stringify(title)}` }),
      );
      const [id = ''] = created;
      await isWhole(id);
      assert.equal((await store.getChat(id))?.title, title);
      assert.equal((await store.listChats()).length, 1);
    });
  }

  for (const [program, name] of fixtures) {
    for (const [what, spoil] of Object.entries(spoilt)) {
      it(`of ${program} is refused or taken in whole with ${what}`, async () => {
        let text = '';
        for await (const chunk of (await fixtureFile(program, name)).chunks())
          text += new TextDecoder().decode(chunk, { stream: true });
        const { created } = await take(name, spoil(text));
        for (const id of created) {
          await isWhole(id);
          const { messages } = await store.exportChat(id);
          for (const { data } of messages) {
            const read = readUIMessage(data);
            assert.ok(read?.role === 'user' || read?.role === 'assistant');
            assert.equal(hiddenFromUser(read), undefined);
          }
        }
      });
    }
  }
});
