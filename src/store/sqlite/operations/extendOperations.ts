import { isGivenName } from '../../../engine/branchNames.ts';
import type { StoreChange } from '../../../engine/graph.ts';
import type { PortableChat } from '../../../engine/portableChat.ts';
import * as branches from '../branches.ts';
import * as chats from '../chats.ts';
import { findCheckpoint } from '../checkpoints.ts';
import { bodies, type Reader, type Transaction } from '../database.ts';
import { insertEvent } from '../events.ts';
import { insertPortableMessages, type MessagePlace } from './portableOperations.ts';
import { integer, text } from '../rows.ts';

const allPlaces = 'SELECT id, key, depth, messageCount FROM messages WHERE chatKey = ?';
const insertCheckpoint =
  'INSERT INTO checkpoints (key, id, chatKey, name, messageKey, createdAt) VALUES (?, ?, ?, ?, ?, ?)';
const inTrash = 'SELECT m.id FROM trash t JOIN messages m ON m.chatKey = t.chatKey WHERE t.fromKey = ?';

export const extensionWrites = bodies({
  /** Existing data stays unchanged; only a branch whose head has not moved is extended to the copy's head. */
  extendChat(transaction, now, { chatId, userId, chat: copy }) {
    const chat = chats.requireChatRef(transaction, chatId, { userId });
    const known = readPlaces(transaction, chat.key);
    const added = newMessages(copy.messages, known, trashedIds(transaction, chat.key));
    const places = insertPortableMessages(transaction, chat.key, added, known);
    const extension = new Extension(transaction, chat, now, copy, new Set(added.map(({ id }) => id)), places);
    const changes = copy.branches.flatMap((branch) => extension.addBranch(branch));
    changes.push(...copy.checkpoints.flatMap((checkpoint) => extension.addCheckpoint(checkpoint)));
    const latest = added.reduce((last, { createdAt }) => Math.max(last, createdAt), 0);
    if (added.length > 0) chats.touchChat(transaction, chat.key, latest);
    return { result: { messages: added.length, branches: extension.made }, changes };
  },
});

/** Messages that are missing here; deleted ones, and those after them, are not added. */
function newMessages(
  messages: PortableChat['messages'],
  known: ReadonlyMap<string, MessagePlace>,
  trashed: ReadonlySet<string>,
): PortableChat['messages'] {
  const away = new Set(trashed);
  return messages.filter(({ id, parentId }) => {
    if (parentId !== null && away.has(parentId)) away.add(id);
    return !known.has(id) && !away.has(id);
  });
}

class Extension {
  readonly made: string[] = [];
  private readonly parents: ReadonlyMap<string, string | null>;
  private readonly moved = new Set<number>();

  constructor(
    private readonly transaction: Transaction,
    private readonly chat: chats.ChatRef,
    private readonly now: number,
    copy: PortableChat,
    private readonly added: ReadonlySet<string>,
    private readonly places: ReadonlyMap<string, MessagePlace>,
  ) {
    this.parents = new Map(copy.messages.map(({ id, parentId }) => [id, parentId]));
  }

  addBranch({ name, headMessageId: head }: PortableChat['branches'][number]): StoreChange[] {
    const place = head === null || !this.added.has(head) ? undefined : this.places.get(head);
    if (head === null || !place) return [];
    const path = this.newPathTo(head);
    const forkId = this.parents.get(path[0] ?? head) ?? null;
    const forkKey = forkId === null ? undefined : this.places.get(forkId)?.key;
    const all = branches.selectBranches(this.transaction, this.chat, true);
    // A branch that is still empty was made to continue differently there.
    const going = all.find(
      ({ key, headKey, branch: { headMessageId, forkMessageId } }) =>
        headKey === forkKey && headMessageId !== forkMessageId && !this.moved.has(key),
    );
    return going
      ? this.moveOn(going, head, place, path)
      : this.make(name, forkId, forkKey, head, place, path);
  }

  addCheckpoint({ name, messageId, createdAt }: PortableChat['checkpoints'][number]): StoreChange[] {
    const { transaction, chat, now } = this;
    const place = this.places.get(messageId);
    if (!place || findCheckpoint(transaction, chat, name)) return [];
    const key = chats.nextKey(transaction, 'checkpoints');
    transaction.run(insertCheckpoint, [key, crypto.randomUUID(), chat.key, name, place.key, createdAt]);
    insertEvent(transaction, chat, { kind: 'checkpoint-set', messageId, details: { name } }, now);
    return [{ kind: 'checkpoint', chatId: chat.id, checkpoint: name, change: 'set' }];
  }

  /** The new messages on the path to a head that no branch has yet, root first. */
  private newPathTo(head: string): string[] {
    const path: string[] = [];
    for (let at: string | null = head; at !== null && this.added.has(at); at = this.parents.get(at) ?? null) {
      path.push(at);
    }
    return path.reverse();
  }

  private moveOn(
    branch: branches.StoredBranch,
    head: string,
    place: MessagePlace,
    messageIds: string[],
  ): StoreChange[] {
    const { transaction, chat, now } = this;
    const { name } = branch.branch;
    this.moved.add(branch.key);
    branches.moveHead(transaction, branch, place.key);
    const details = { messageIds, imported: true };
    insertEvent(transaction, chat, { kind: 'messages-saved', branch: name, messageId: head, details }, now);
    return [{ kind: 'messages', chatId: chat.id, branch: name, messageIds }];
  }

  private make(
    wanted: string,
    forkId: string | null,
    forkKey: number | undefined,
    head: string,
    place: MessagePlace,
    messageIds: string[],
  ): StoreChange[] {
    const { transaction, chat, now } = this;
    const parent = branches.selectBranches(transaction, chat, true)[0];
    const isFree = isGivenName(wanted) && !branches.findBranch(transaction, chat, wanted);
    const made = branches.insertBranch(
      transaction,
      chat,
      { ...(isFree ? { name: wanted } : {}), naming: 'flat', parent, headKey: forkKey },
      now,
    );
    const { name } = made.branch;
    this.moved.add(made.key);
    branches.moveHead(transaction, made, place.key);
    this.made.push(name);
    const details = { from: parent?.branch.name ?? null, why: 'import' };
    insertEvent(transaction, chat, { kind: 'branch-created', branch: name, messageId: forkId, details }, now);
    const saved = { messageIds, imported: true };
    insertEvent(
      transaction,
      chat,
      { kind: 'messages-saved', branch: name, messageId: head, details: saved },
      now,
    );
    return [
      { kind: 'branch', chatId: chat.id, branch: name, change: 'created' },
      { kind: 'messages', chatId: chat.id, branch: name, messageIds },
    ];
  }
}

function readPlaces(reader: Reader, chatKey: number): Map<string, MessagePlace> {
  return new Map(
    reader.map(allPlaces, [chatKey], (row) => [
      text(row, 'id'),
      {
        key: integer(row, 'key'),
        depth: integer(row, 'depth'),
        messageCount: integer(row, 'messageCount'),
      },
    ]),
  );
}

function trashedIds(reader: Reader, chatKey: number): Set<string> {
  return new Set(reader.map(inTrash, [chatKey], (row) => text(row, 'id')));
}
