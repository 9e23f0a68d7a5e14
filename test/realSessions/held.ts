import { Imports, type ImportOutcome } from '../../src/conversation/imports.ts';
import { formatInEnglish } from '../../src/engine/messageDescriptor.ts';
import type { PortableChat } from '../../src/engine/portableChat.ts';
import { NodeForeignFiles } from '../../src/host/node/nodeForeignFiles.ts';
import type { SqlContextStore } from '../../src/store/sqlite/contextStore.ts';
import { databaseOpener } from '../../src/store/sqlite/tableReader.ts';
import { messageOfError } from '../fixtures/errorText.ts';
import { memoryStore } from '../fixtures/memoryStore.ts';
import { sqliteWasm } from '../fixtures/wasm.ts';
import { differences, sharedLength, type Losses } from './compared.ts';
import { importedWays, type ImportedWay } from './importedWays.ts';
import type { Told, Way } from './told.ts';

/** A folder as the user's, and the project's folder as the program knew it. */
export interface Kept {
  readonly home: string;
  readonly project: string;
}

/** What may not be in a report: it would be a loss of something that was said. */
const LOSSES = /unknown kind|without a result|predecessor is missing|cut off|cannot be/u;

/**
 * Imports what a program kept, found as the extension finds it, and holds it against what was said.
 * @returns what is wrong, in words; empty: nothing
 */
export async function heldAgainst(kept: Kept, told: Told, losses: Losses): Promise<string[]> {
  const store = memoryStore();
  try {
    const { outcome, problems } = await taken(store, kept, told.program);
    const chats = [];
    for (const id of outcome.created) chats.push(await store.exportChat(id));
    problems.push(...heldChats(chats, told, losses));
    const { outcome: again } = await taken(store, kept, told.program);
    if (again.created.length > 0 || again.extended.length > 0) {
      problems.push(
        `imported again, ${again.created.length} chats are new and ${again.extended.length} are longer`,
      );
    }
    return problems;
  } finally {
    await store.close();
  }
}

/**
 * Imports what there was in the middle of a flow, says something there, and imports the rest.
 * @returns what is wrong, in words
 */
export async function heldWhenContinued(
  before: Kept,
  after: Kept,
  told: Told,
  losses: Losses,
): Promise<string[]> {
  const store = memoryStore();
  try {
    const { outcome: early, problems } = await taken(store, before, told.program);
    const said = [];
    for (const chatId of early.created) said.push({ chatId, ...(await sayHere(store, chatId)) });
    const { outcome: late } = await taken(store, after, told.program);
    const chats = [];
    for (const id of new Set([...early.created, ...late.created])) chats.push(await store.exportChat(id));
    for (const { chatId, messageId, branch } of said) {
      const chat = chats.find(({ id }) => id === chatId);
      const active = chat?.branches.find(({ isActive }) => isActive);
      if (active?.name !== branch || active.headMessageId !== messageId) {
        problems.push(`what was said here is no more where the user is, on ${branch}`);
      }
    }
    const ids = new Set(said.map(({ messageId }) => messageId));
    problems.push(
      ...heldChats(
        chats.map((chat) => withoutSaid(chat, ids)),
        told,
        losses,
        { isContinued: true },
      ),
    );
    return problems.map((problem) => `continued: ${problem}`);
  } finally {
    await store.close();
  }
}

async function taken(
  store: SqlContextStore,
  { home, project }: Kept,
  program: string,
): Promise<{ readonly outcome: ImportOutcome; readonly problems: string[] }> {
  const now = Date.now();
  const imports = new Imports(store, 'ann');
  const list = imports.list(new AbortController().signal);
  const files = new NodeForeignFiles({}, home, 'linux');
  const format = imports.programs.find((each) => each.program === program);
  const nowhere = `${home}/.nowhere`;
  await format?.find?.({
    places: {
      folders: [project],
      vsCode: { sessions: nowhere, storageOf: () => nowhere },
      userFolder: (folder, ...inside) => files.userFolder(folder, ...inside),
      list: (folder, ...below) => files.list(folder, ...below),
    },
    list,
    now,
    openDatabase: databaseOpener(sqliteWasm),
  });
  const chosen = list.batches.map((batch) => ({ batch, found: batch.found }));
  const outcome = await imports.take(chosen, now, new AbortController().signal, () => undefined);
  const problems = [
    ...(format?.find ? [] : [`nothing finds sessions of ${program}`]),
    ...list.unread.map(({ name, error }) => `${name} is unread: ${messageOfError(error)}`),
    ...outcome.failed.map(({ title = '', error }) => `“${title}” is not imported: ${messageOfError(error)}`),
    ...outcome.leftOut
      .all()
      .map(({ what, count }) => `${formatInEnglish(what)}: ${count}`)
      .filter((line) => LOSSES.test(line))
      .map((line) => `the report says: ${line}`),
  ];
  return { outcome, problems };
}

/** Each conversation of the record is one chat, with its sub-agents. */
function heldChats(
  chats: readonly PortableChat[],
  told: Told,
  losses: Losses,
  { isContinued = false } = {},
): string[] {
  const problems: string[] = [];
  const imported = chats.map((chat) => ({ chat, ways: importedWays(chat) }));
  const firsts = [...new Set(told.ways.filter(({ isAgent }) => !isAgent).map(firstOf))];
  if (imported.length !== firsts.length) {
    const titles = chats.map(({ title = '' }) => title).join(', ');
    problems.push(`${firsts.length} conversations were there, ${imported.length} chats came (${titles})`);
  }
  const open = new Set(imported.flatMap(({ ways }) => ways));
  for (const way of told.ways) {
    const all = imported.flatMap(({ ways }) => ways);
    // A sub-agent's branch begins with what its parent said up to the call.
    const nearest = all.toSorted(
      (one, other) =>
        sharedLength(way, withoutParent(other, way), losses) -
        sharedLength(way, withoutParent(one, way), losses),
    )[0];
    if (!nearest) continue;
    open.delete(nearest);
    const wrong = differences(way, withoutParent(nearest, way), losses);
    problems.push(...wrong.map((each) => `“${firstOf(way)}”, ${nearest.branch}: ${each}`));
    if (!way.isAgent && way.isActive && !nearest.isActive && !isContinued) {
      problems.push(`“${lastOf(way)}” is where the program was, and its branch is not the active one`);
    }
    problems.push(...heldTimes(nearest, told).map((each) => `${nearest.branch}: ${each}`));
  }
  if (!isContinued) {
    for (const { branch, items } of open) {
      problems.push(
        `nobody made the branch ${branch} (${items.length} items, the last ${lastOf({ items })})`,
      );
    }
  }
  for (const { chat, ways } of imported) {
    const active = ways.find(({ isActive }) => isActive);
    const known = [told.title, active && firstOf(active)];
    if (!known.includes(chat.title)) problems.push(`“${chat.title ?? ''}” is a title that nobody gave`);
    const texts = chat.messages.map(({ data }) => JSON.stringify((data as { parts?: unknown }).parts));
    const twice = texts.filter(
      (text, at) => chat.messages.findIndex((_each, first) => texts[first] === text) < at,
    );
    if (twice.length > 0) problems.push(`said twice: ${twice.slice(0, 3).join(', ').slice(0, 300)}`);
  }
  return problems;
}

function withoutParent(imported: ImportedWay, way: Way): ImportedWay {
  if (!way.isAgent) return imported;
  const at = imported.items.findIndex(
    (item) => item.kind === 'question' && item.text.trim() === firstOf(way).trim(),
  );
  return at < 0 ? imported : { ...imported, items: imported.items.slice(at) };
}

function heldTimes({ times }: ImportedWay, { from, to }: Told): string[] {
  const odd = times.filter((time) => time < from || time > to);
  const back = times.some((time, at) => time < (times[at - 1] ?? 0));
  return [
    ...(odd.length === 0 ? [] : [`${odd.length} times are not those of the conversation`]),
    ...(back ? ['times go back'] : []),
  ];
}

async function sayHere(
  store: SqlContextStore,
  chatId: string,
): Promise<{ readonly messageId: string; readonly branch: string }> {
  const branch = await store.getActiveBranch(chatId);
  const messageId = crypto.randomUUID();
  await store.saveMessages({
    chatId,
    branch: branch?.name ?? '',
    expectedHead: branch?.headMessageId ?? null,
    onHeadConflict: 'error',
    newBranchAt: undefined,
    activate: true,
    messages: [
      {
        id: messageId,
        name: 'user',
        type: 'message',
        invocationId: undefined,
        replaces: undefined,
        effects: undefined,
        data: { id: messageId, role: 'user', parts: [{ type: 'text', text: 'What was said here.' }] },
      },
    ],
  });
  return { messageId, branch: branch?.name ?? '' };
}

function withoutSaid(chat: PortableChat, said: ReadonlySet<string>): PortableChat {
  const parents = new Map(chat.messages.map(({ id, parentId }) => [id, parentId]));
  const above = (id: string | null): string | null =>
    id !== null && said.has(id) ? (parents.get(id) ?? null) : id;
  return {
    ...chat,
    messages: chat.messages.filter(({ id }) => !said.has(id)),
    branches: chat.branches.map((branch) => ({ ...branch, headMessageId: above(branch.headMessageId) })),
  };
}

function firstOf({ items }: Pick<Way, 'items'>): string {
  const question = items.find(({ kind }) => kind === 'question');
  return question?.kind === 'question' ? question.text : '';
}

function lastOf({ items }: Pick<Way, 'items'>): string {
  return JSON.stringify(items.at(-1) ?? '').slice(0, 200);
}
