import assert from 'node:assert/strict';
import {
  readOwnFilesUse,
  tidyOwnFiles,
  type OwnFilesUseContext,
} from '../../../src/extension/files/ownFilesUse.ts';
import type { BranchFilesRecord } from '../../../src/host/branchFiles.ts';

const DAY = 24 * 60 * 60 * 1_000;
const NOW = 1_000 * DAY;

interface Given {
  readonly id: string;
  /** Of its files, in days. */
  readonly age?: number;
  readonly bytes?: number;
  readonly isChanged?: boolean;
  readonly chat?: 'there' | 'gone' | 'trashed';
  readonly hasBranch?: boolean;
  readonly isKept?: boolean;
  readonly isRunning?: boolean;
  /** When its branch was written to last, in days. */
  readonly used?: number;
  readonly store?: string;
}

/** Files of branches whose chat has the same id, in a window whose store is on this machine. */
function makeWorld(
  all: readonly Given[],
  { maxBytes = Infinity, maxAge = 30 * DAY, lost = [] as readonly string[] } = {},
) {
  const done: string[] = [];
  const changed = new Set(all.filter(({ isChanged }) => isChanged).map(({ id }) => id));
  const discarded = new Set<string>();
  const find = (wanted: string): Given | undefined => all.find(({ id }) => id === wanted);
  const records = all.map(({ id, age = 2, store }): BranchFilesRecord => {
    const about = { id, chatId: id, createdAt: NOW - age * DAY, state: 'open' as const };
    return { ...about, ...(store === undefined ? {} : { store }), folders: [], empty: [], missing: [] };
  });
  const branches = ({ id }: { id: string }): string[] =>
    (find(id)?.hasBranch ?? find(id)?.chat === undefined) ? ['try'] : [];
  const branch = (chatId: string) => ({ name: 'try', chatId, headMessageId: 'head' });
  const context = {
    now: NOW,
    known: {
      all: () => records,
      branchesWith: (record) => Promise.resolve(branches(record)),
      budget: () => ({ maxBytes, maxAge }),
      isOfStore: ({ store }) => store === undefined,
      keptOf: ({ id }) => Promise.resolve(find(id)?.isKept ? { id, branch: 'try', isKept: true } : undefined),
    },
    host: {
      lost: () => Promise.resolve(lost),
      hasChanges: (id) => Promise.resolve(changed.has(id)),
      measure: (id) => Promise.resolve({ files: 1, bytes: discarded.has(id) ? 0 : (find(id)?.bytes ?? 100) }),
      discard: (id) => {
        discarded.add(id);
        return Promise.resolve(void done.push(`discard ${id}`));
      },
      remove: (id) => Promise.resolve(void done.push(`remove ${id}`)),
    },
    store: {
      getChat: (id: string) => Promise.resolve((find(id)?.chat ?? 'there') === 'there' ? { id } : undefined),
      getBranch: (chatId: string) => Promise.resolve(branch(chatId)),
      getMessage: (id: string) => Promise.resolve({ createdAt: NOW - (find(id)?.used ?? 100) * DAY }),
      trash: {
        list: ({ chatId = '' }) => Promise.resolve(find(chatId)?.chat === 'trashed' ? [{ chatId }] : []),
      },
    } as unknown as OwnFilesUseContext['store'],
    runs: { list: (id: string) => (find(id)?.isRunning ? [{ ownFiles: id }] : []) },
  } satisfies OwnFilesUseContext;
  return { changed, context, done };
}

const ids = (uses: readonly { readonly id: string }[]): string[] => uses.map(({ id }) => id);

describe('own files that no branch works with', () => {
  it('are those of a chat that is gone, and not of one in the trash, a new one, or one of another store', async () => {
    const { context } = makeWorld(
      [
        { id: 'gone', chat: 'gone' },
        { id: 'trashed', chat: 'trashed' },
        { id: 'new', chat: 'gone', age: 0 },
        { id: 'elsewhere', chat: 'gone', store: 'postgres://host/db' },
        { id: 'in use' },
        { id: 'without a branch', chat: 'there', hasBranch: false },
        { id: 'for undo', chat: 'there', hasBranch: false, isKept: true },
      ],
      { lost: ['damaged'] },
    );
    const uses = await readOwnFilesUse(context);
    assert.deepEqual(ids(uses.filter(({ isLeftOver }) => isLeftOver)), [
      'gone',
      'without a branch',
      'damaged',
    ]);
  });

  it('are removed if nothing was changed in them, and else left to the user', async () => {
    const { context, done } = makeWorld(
      [
        { id: 'same', chat: 'gone' },
        { id: 'changed', chat: 'gone', isChanged: true },
      ],
      { lost: ['damaged'] },
    );
    assert.deepEqual(ids(await tidyOwnFiles(context)), ['damaged', 'changed']);
    assert.deepEqual(done, ['discard same', 'remove same']);
  });

  it('are kept where something is changed while they are removed', async () => {
    const { changed, context, done } = makeWorld([{ id: 'late', chat: 'gone' }]);
    const { discard } = context.host;
    const host = { ...context.host, discard: (id: string) => (changed.add(id), discard(id)) };
    assert.deepEqual(ids(await tidyOwnFiles({ ...context, host })), ['late']);
    assert.deepEqual(done, ['discard late']);
  });
});

describe('the budget of own files', () => {
  it('discards old ones without changes, and leaves the others to the user', async () => {
    const { context, done } = makeWorld([
      { id: 'old', age: 31 },
      { id: 'old and changed', age: 32, isChanged: true },
      { id: 'young', age: 29 },
      { id: 'old and kept', age: 33, isChanged: true, isKept: true },
    ]);
    assert.deepEqual(ids(await tidyOwnFiles(context)), ['old and changed']);
    assert.deepEqual(done, ['discard old and kept', 'discard old']);
  });

  it('discards the oldest until the rest fits', async () => {
    const { context, done } = makeWorld(
      [
        { id: 'c', age: 3 },
        { id: 'a', age: 5, isChanged: true },
        { id: 'd', age: 2 },
        { id: 'b', age: 4 },
      ],
      { maxBytes: 250 },
    );
    assert.deepEqual(ids(await tidyOwnFiles(context)), ['a']);
    assert.deepEqual(done, ['discard b', 'discard c']);
  });

  it('leaves what is in use, was used lately, or belongs to another store', async () => {
    const { context, done } = makeWorld(
      [
        { id: 'running', age: 40, isRunning: true },
        { id: 'used', age: 40, used: 0.5 },
        { id: 'new', age: 0.5 },
        { id: 'elsewhere', age: 40, store: 'postgres://host/db' },
      ],
      { maxBytes: 0 },
    );
    assert.deepEqual(await tidyOwnFiles(context), []);
    assert.deepEqual(done, []);
  });
});
