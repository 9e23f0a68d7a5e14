import assert from 'node:assert/strict';
import fc from 'fast-check';
import { beginExploration } from '../../../src/conversation/agentBranches.ts';
import type { BranchData } from '../../../src/engine/graph.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { BranchTitles } from '../../../src/extension/branches/branchTitles.ts';
import type { ChatOutline } from '../../../src/extension/branches/outline.ts';
import { readOutline } from '../../../src/extension/branches/outlines.ts';
import { readLineage, withoutExplored } from '../../../src/extension/chat/pathForks.ts';
import { filterChat, filterTerms } from '../../../src/extension/tree/treeFilter.ts';
import type { BranchKind } from '../../../src/extension/tree/branchKinds.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';
import { building, perform, stepsOf } from '../../fixtures/randomChat.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { textMessage } from '../../../src/engine/uiMessage.ts';

describe('what the tree shows of a chat', () => {
  let store: ContextStore;
  beforeEach(async () => {
    store = memoryStore();
    await store.upsertChat({ id: 'chat', userId: 'ann', title: 'About herons' });
  });
  afterEach(() => store.close());

  const say = async (branch: string, ...texts: readonly string[]): Promise<void> => {
    const { headMessageId } = (await store.getBranch('chat', branch)) ?? {};
    await store.saveMessages({
      chatId: 'chat',
      branch,
      expectedHead: headMessageId ?? null,
      onHeadConflict: 'error',
      newBranchAt: undefined,
      activate: true,
      messages: texts.map((text) => ({
        id: text,
        name: text.startsWith('answer') ? 'assistant' : 'user',
        type: 'message',
        data: JSON.parse(JSON.stringify(textMessage(text, 'user', text))) as string,
        invocationId: undefined,
        replaces: undefined,
        effects: undefined,
      })),
      shared: { userId: 'ann', user: new Map(), app: new Map(), artifacts: [] },
    });
  };
  const branchAt = (messageId: string | null, from: string): Promise<BranchData> =>
    store.addBranch({ chatId: 'chat', from, messageId, activate: true, event: 'rewound' });
  const outline = async (): Promise<ChatOutline> => {
    const read = await readOutline(store, 'chat');
    assert.ok(read);
    return read;
  };
  const drawn = (read: ChatOutline, below?: string, indent = ''): string[] =>
    read
      .branchesBelow(below)
      .flatMap(({ id, name }) => [
        `${indent}${name}`,
        ...read.checkpointsOn(id).map((checkpoint) => `${indent}  * ${checkpoint.name}`),
        ...drawn(read, id, `${indent}  `),
      ]);

  it('nests a branch below the one that says what it forks from, wherever it was made', async () => {
    await say('main', 'one', 'two');
    await branchAt('one', 'main');
    await say('main-v2', 'deux');
    // Made while one was on main-v2, at a message that main has as well.
    await branchAt('one', 'main-v2');
    await branchAt('deux', 'main-v2');
    await store.setCheckpoint('chat', 'at one', 'one');
    await store.setCheckpoint('chat', 'at deux', 'deux');
    assert.deepEqual(drawn(await outline()), [
      'main',
      '  * at one',
      '  main-v2',
      '    * at deux',
      '    main-v2-v3',
      '  main-v2-v2',
    ]);
  });

  it('names a branch by its question, also where only the answer is another one', async () => {
    const titles = new BranchTitles(store, 'Main line');
    const titleOf = async (name: string): Promise<string> => {
      const read = await outline();
      const branch = read.branches.find((each) => each.name === name);
      const outlined = branch && read.find(branch.id);
      return outlined ? titles.titleOf(outlined) : '';
    };
    await say('main', 'one');
    await say('main', 'answer one', 'answer two');
    await branchAt('one', 'main');
    await say('main-v2', 'answer three');
    assert.equal(await titleOf('main-v2'), 'one');
    await branchAt('answer three', 'main-v2');
    await say('main-v2-v2', 'two');
    assert.equal(await titleOf('main-v2-v2'), 'two');
  });

  /** The branches that the open one comes from, as the chat names them. */
  const cameFrom = async (): Promise<string[]> => {
    const branches = await store.listBranches('chat', { includeArchived: true });
    const open = branches.find(({ isActive }) => isActive) ?? assert.fail();
    const stretches = await readLineage(store, open, branches);
    return (await withoutExplored(store, open, stretches, branches)).map(({ branch }) => branch);
  };

  it('puts what the agent explored below what went on with the report, until someone goes on there', async () => {
    await say('main', 'one', 'explored');
    await branchAt('one', 'main');
    await say('main-v2', 'report', 'two');
    const details = { goal: 'Find the herons', abandonedHead: 'explored' };
    await store.logEvent({ chatId: 'chat', kind: 'rewind-report', messageId: 'report', details });
    await store.setCheckpoint('chat', 'at one', 'one');
    assert.deepEqual(drawn(await outline()), ['main-v2', '  * at one', '  main']);
    assert.deepEqual(await cameFrom(), ['main-v2']);
    await say('main', 'more');
    assert.deepEqual(drawn(await outline()), ['main', '  * at one', '  main-v2']);
    await store.activateBranch('chat', 'main-v2');
    assert.deepEqual(await cameFrom(), ['main', 'main-v2']);
  });

  it('leaves the name that a user gave with the thread when the agent explored on it', async () => {
    await say('main', 'one');
    await branchAt('one', 'main');
    await store.renameBranch('chat', 'main-v2', 'My idea');
    await say('My idea', 'explored');
    const thread = await branchAt('one', 'My idea');
    await say(thread.name, 'report', 'explored again');
    const next = await branchAt('one', thread.name);
    await say(next.name, 'report again');
    const report = (messageId: string, goal: string, abandonedHead: string): Promise<unknown> =>
      store.logEvent({ chatId: 'chat', kind: 'rewind-report', messageId, details: { goal, abandonedHead } });
    await report('report', 'Find the herons', 'explored');
    await report('report again', 'Find the storks', 'explored again');
    const labels = async (): Promise<Record<string, string>> => {
      const read = await outline();
      const titles = new BranchTitles(store, 'Main line');
      const called = read.branches.map(async (branch) => {
        const outlined = read.find(branch.id);
        return [branch.name, outlined ? await titles.labelOf(read, outlined) : ''] as const;
      });
      return Object.fromEntries(await Promise.all(called));
    };
    assert.deepEqual(await labels(), {
      main: 'Main line',
      'My idea': 'Find the herons',
      [thread.name]: 'Find the storks',
      [next.name]: 'My idea',
    });
    await say('My idea', 'more');
    assert.equal((await labels())['My idea'], 'My idea');
  });

  it('keeps the tasks of an answer below its branch, also after an export, with their titles', async () => {
    await say('main', 'one', 'two');
    const main = await store.getBranch('chat', 'main');
    assert.ok(main);
    const from = { chatId: 'chat', branchId: main.id, prompt: 'Look.' };
    await beginExploration(store, { ...from, afterId: 'one', title: 'Herons' }, {});
    await beginExploration(store, { ...from, afterId: 'two', title: 'Cranes' }, {});
    await store.renameBranch('chat', 'main-v3', 'My cranes');
    // What the agent explored and left comes before what it gave others to explore.
    const { name: thread } = await branchAt('one', 'main');
    await say(thread, 'report');
    const details = { goal: 'Find the herons', abandonedHead: 'two' };
    await store.logEvent({ chatId: 'chat', kind: 'rewind-report', messageId: 'report', details });
    const expected = [thread, '  main', '    My cranes', '  main-v2'];
    const look = async (from: ContextStore, chatId: string): Promise<void> => {
      const read = await readOutline(from, chatId);
      assert.ok(read);
      assert.deepEqual(drawn(read), expected);
      assert.deepEqual(
        read.branches.map((branch) => [branch.name, read.isTask(branch), read.find(branch.id)?.title]),
        [
          ['main', false, undefined],
          ['main-v2', true, 'Herons'],
          ['My cranes', true, 'Cranes'],
          [thread, false, undefined],
        ],
      );
    };
    await look(store, 'chat');
    const other = memoryStore();
    const [imported = ''] = await other.importChats('bob', [await store.exportChat('chat')]);
    await look(other, imported);
    await other.close();
  });

  it('keeps an exploration below the thread that a thread of its own comes from', async () => {
    await say('main', 'one');
    await branchAt('one', 'main');
    await say('main-v2', 'two', 'explored');
    await branchAt('two', 'main-v2');
    await say('main-v2-v2', 'report');
    const details = { goal: 'Find the herons', abandonedHead: 'explored' };
    await store.logEvent({ chatId: 'chat', kind: 'rewind-report', messageId: 'report', details });
    assert.deepEqual(drawn(await outline()), ['main', '  main-v2-v2', '    main-v2']);
  });

  it('shows the branch that one is on, though it is archived, and no other such', async () => {
    await say('main', 'one');
    await store.setCheckpoint('chat', 'at one', 'one');
    await branchAt('one', 'main');
    await branchAt('one', 'main-v2');
    await store.archiveBranch('chat', 'main');
    await store.archiveBranch('chat', 'main-v2');
    await store.activateBranch('chat', 'main');
    await store.archiveBranch('chat', 'main-v2-v2');
    assert.deepEqual(drawn(await outline()), ['main', '  * at one']);
  });

  it('gives a branch the title of its first different message; the first branch has that of the chat', async () => {
    await say('main', 'one', 'two');
    await branchAt('one', 'main');
    const titles = new BranchTitles(store, 'Main line');
    const titleOf = async (name: string): Promise<string> => {
      const read = await outline();
      const branch = read.branches.find((each) => each.name === name);
      const outlined = branch && read.find(branch.id);
      assert.ok(outlined);
      return titles.titleOf(outlined);
    };
    assert.equal(await titleOf('main-v2'), '', 'nothing is different yet');
    await say('main-v2', 'deux', 'trois');
    assert.equal(await titleOf('main-v2'), 'deux');
    assert.equal(await titleOf('main'), '');
  });

  it('calls a branch by the name it was given, its goal or its title, never by its number', async () => {
    const titles = new BranchTitles(store, 'Main line');
    const labels = async (): Promise<string[]> => {
      const read = await outline();
      return Promise.all(
        read.branches.map((branch) => {
          const outlined = read.find(branch.id);
          assert.ok(outlined);
          return titles.labelOf(read, outlined);
        }),
      );
    };
    await say('main', 'one', 'two');
    await branchAt('one', 'main');
    assert.deepEqual(await labels(), ['Main line', '']);
    await say('main-v2', 'deux');
    await branchAt(null, 'main');
    await say('main-v3', 'uno');
    assert.deepEqual(await labels(), ['Main line', 'deux', 'uno']);
    await store.renameBranch('chat', 'main-v2', 'in French');
    assert.deepEqual(await labels(), ['Main line', 'in French', 'uno']);
  });

  it('gives another first question a line of its own', async () => {
    await say('main', 'one');
    await branchAt(null, 'main');
    assert.deepEqual(drawn(await outline()), ['main', '  main-v2']);
    await say('main-v2', 'uno');
    assert.deepEqual(drawn(await outline()), ['main', 'main-v2']);
  });

  it('finds words in names and titles of branches and checkpoints, and shows the way to them', async () => {
    await say('main', 'one', 'two');
    await branchAt('one', 'main');
    await say('main-v2', 'grey herons');
    await branchAt('grey herons', 'main-v2');
    await say('main-v2-v2', 'storks');
    await store.setCheckpoint('chat', 'Nesting', 'two');
    const find = async (text: string): Promise<string[] | undefined> => {
      const read = await outline();
      const found = await filterChat(read, new BranchTitles(store, 'Main line'), filterTerms(text));
      const names = new Map([...read.branches, ...read.checkpoints].map(({ id, name }) => [id, name]));
      return found && [...found.shown].map((id) => names.get(id) ?? '').sort();
    };
    assert.deepEqual(await find('STORKS'), ['main', 'main-v2', 'main-v2-v2']);
    assert.deepEqual(await find('herons grey'), ['main', 'main-v2']);
    assert.deepEqual(await find('nest'), ['Nesting', 'main']);
    assert.deepEqual(await find('about'), [], 'the chat itself');
    assert.equal(await find('v2'), undefined, 'no user sees generated names');
    assert.deepEqual(await find('main-v2'), ['main', 'main-v2']);
    assert.equal(await find('pelican'), undefined);
  });

  it('finds what is of a kind: archived, with files, the user’s own', async () => {
    const { wantedKinds } = await withVsCodeStub(() => import('../../../src/extension/tree/branchKinds.ts'));
    await say('main', 'one', 'two');
    for (const [at, own] of [
      ['one', 'herons'],
      ['herons', 'storks'],
      ['one', 'cranes'],
    ] as const) {
      const { name } = await branchAt(at, 'main');
      await say(name, own);
    }
    await store.setCheckpoint('chat', 'Nesting', 'two');
    await store.archiveBranch('chat', 'main-v2');
    const read = await readOutline(store, 'chat', { all: true });
    assert.ok(read);
    const find = async (...kinds: BranchKind[]): Promise<string[] | undefined> => {
      const wanted = await wantedKinds(read, kinds, {
        runs: { get: () => undefined, failed: () => undefined },
        store: {
          getMessage: (chatId, id) => store.getMessage(chatId, id),
          listFileChanges: () => Promise.resolve([{ messageId: 'storks', files: [] }]),
        },
      });
      const found = await filterChat(read, new BranchTitles(store, 'Main line'), [], wanted);
      const names = new Map([...read.branches, ...read.checkpoints].map(({ id, name }) => [id, name]));
      return found && [...found.shown].map((id) => names.get(id) ?? '').sort();
    };
    assert.deepEqual(await find('archived'), ['main', 'main-v2']);
    assert.deepEqual(await find('files'), ['main', 'main-v2', 'main-v3'], 'with the way there');
    assert.deepEqual(await find('mine'), ['Nesting', 'main', 'main-v2', 'main-v3', 'main-v4']);
    assert.equal(await find('failed'), undefined);
  });

  it('shows each branch and each checkpoint once, whatever was done', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf(building, 40), async (steps) => {
        const random = memoryStore();
        try {
          await random.upsertChat({ id: 'chat', userId: 'ann' });
          for (const step of steps) await perform(random, step).catch(() => undefined);
          const read = await readOutline(random, 'chat');
          assert.ok(read);
          const names = drawn(read).map((line) => line.trim().replace('* ', ''));
          assert.deepEqual(
            names.sort(),
            [...read.branches, ...read.checkpoints].map(({ name }) => name).sort(),
          );
          for (const { id } of read.branches) assert.equal(read.wayTo(id).at(-1), id);
        } finally {
          await random.close();
        }
      }),
      { numRuns: 100 },
    );
  });
});
