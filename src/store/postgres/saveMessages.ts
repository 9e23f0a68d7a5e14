import { MessageExistsError } from '../../engine/errors.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { NewMessage, SavedMessages, SaveMessages, SharedChanges } from '../../engine/store.ts';
import { checkedId } from '../../engine/storable.ts';
import type { FilePlaces } from './filePlaces.ts';
import { isMessageTaken } from './serverErrors.ts';
import type { MessageReads } from './messageReads.ts';
import type { StoreAccess } from './storeAccess.ts';
import { artifactsOf, branchOf, turnOf, type BranchRow } from './wire.ts';

/** The server's result for a saved turn: only what was not known before. */
interface SavedRow {
  readonly branch: BranchRow;
  readonly parentId?: string | null;
  readonly depth?: number;
  readonly turn?: string;
  readonly createdAt?: number;
  /** The artifacts of each message, with their final numbers. */
  readonly settled?: readonly unknown[] | null;
  readonly artifacts: readonly unknown[];
}

/** Saves a turn in one round trip. */
export async function saveMessages(
  store: StoreAccess,
  reads: MessageReads,
  places: FilePlaces,
  request: SaveMessages,
): Promise<SavedMessages> {
  const { messages, shared, event, userId, ...rest } = request;
  const args = {
    ...rest,
    ...(userId === undefined ? {} : { userId: checkedId(userId, 'user id') }),
    newBranchAt: request.newBranchAt ?? null,
    ...turnOf(messages.map((message) => places.kept(message))),
    shared: shared ? sharedRow(shared) : null,
    event: event ? { kind: event.kind, details: JSON.stringify(event.details ?? {}) } : null,
  };
  try {
    const row = await store.write<SavedRow>('saveMessages', args);
    return {
      branch: branchOf(row.branch),
      messages: savedOf(request.chatId, messages, row),
      artifacts: artifactsOf(row.artifacts),
    };
  } catch (error) {
    if (isMessageTaken(error)) throw await takenError(reads, request);
    throw error;
  }
}

function sharedRow({ user, app, userId, artifacts }: SharedChanges): object {
  const rows = (scope: string, changes: SharedChanges['user']) =>
    [...changes].map(([name, value]) => ({
      scope,
      name,
      value: value === undefined ? null : JSON.stringify(value),
    }));
  return { userId, state: [...rows('user', user), ...rows('app', app)], artifacts };
}

function savedOf(chatId: string, messages: readonly NewMessage[], row: SavedRow): MessageData[] {
  let parentId = row.parentId ?? null;
  let turn = row.turn;
  return messages.map((message, index) => {
    turn = message.invocationId ?? turn;
    const settled = row.settled?.[index];
    const saved: MessageData = {
      id: message.id,
      chatId,
      parentId,
      depth: (row.depth ?? 0) + index + 1,
      name: message.name,
      type: message.type,
      data: message.data,
      effects: settled ? { ...message.effects, artifacts: artifactsOf(settled) } : message.effects,
      invocationId: turn ?? message.id,
      replaces: message.replaces,
      createdAt: row.createdAt ?? 0,
    };
    parentId = message.id;
    return saved;
  });
}

async function takenError(
  reads: MessageReads,
  { chatId, messages }: SaveMessages,
): Promise<MessageExistsError> {
  const ids = messages.map(({ id }) => id);
  const known = new Set((await reads.parentIds(chatId, ids)).keys());
  for (const id of ids) {
    if (known.has(id)) return new MessageExistsError(id);
    known.add(id);
  }
  return new MessageExistsError(ids[0] ?? '');
}
