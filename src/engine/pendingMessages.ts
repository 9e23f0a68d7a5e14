import type { ConversationView } from './conversationPath.ts';
import type { Fragment } from './fragments/fragment.ts';
import {
  isLazyFragment,
  resolveLazyFragment,
  toUIMessage,
  withReminder,
} from './fragments/conversationFragments.ts';
import type { JsonValue } from './json.ts';
import { checkedId, storable } from './storable.ts';
import type { NewMessage } from './store.ts';
import type { UIMessage } from './uiMessage.ts';
import { isUserTurn } from './userTurn.ts';

/** A message that waits for `save()`. Never changed: said anew, it is another one in its place. */
interface Pending {
  /** The id it was given, also when it turns out to be an edit. */
  readonly id: string;
  readonly fragment: Fragment;
}

/** What the pending messages will become, had they to be saved now. */
export interface PendingPlan {
  readonly messages: readonly PlannedMessage[];
  /** Where the branch for edits begins: after this message, or (null) before the first. Undefined: no edits. */
  readonly editAt: { readonly messageId: string | null } | undefined;
  /** The conversation that the messages come after. */
  readonly before: ConversationView;
}

export interface PlannedMessage {
  readonly message: UIMessage;
  readonly replaces: string | undefined;
}

/** What a plan needs to know of the conversation. */
export interface Conversation {
  /** As it stands at the head. */
  readonly atHead: ConversationView;
  /** As it stands at any message of the chat; null: before the first. */
  readonly at: (messageId: string | null) => Promise<ConversationView>;
  /** The parents of those messages that this chat has; null for a root. */
  readonly parentsOf: (messageIds: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;
}

/** The messages said since the last save, in order. */
export class PendingMessages {
  private entries: Pending[] = [];
  private byId = new Map<string, Pending>();
  /** The ids that edits get instead of those they were given, kept so that they stay the same until they are saved. */
  private readonly editIds = new Map<string, string>();
  /** What is on its way to the store; it can be said anew, but not be changed any more. */
  private leaving: ReadonlySet<Pending> = new Set();
  /** Reminders that go with the user's messages as their conditions say. */
  private standing: readonly Fragment[] = [];

  get standingReminders(): readonly Fragment[] {
    return this.standing;
  }

  /** Adds a reminder that is given with each of the user's messages its condition holds for. */
  remindAlways(reminder: Fragment): void {
    this.standing = [...this.standing, reminder];
  }

  /** An id that is pending already is said anew in its place: nothing has been stored of it yet. */
  add(fragment: Fragment): void {
    const given = checkedId(fragment.id ?? crypto.randomUUID(), 'message id');
    const id = this.originalOf(given);
    const same = isLazyFragment(fragment) ? undefined : this.byId.get(id);
    if (same) this.replace(same, { id, fragment });
    else this.push({ id, fragment });
  }

  /** Adds a reminder to the last pending message if that is the user's. */
  remind(reminder: Fragment): boolean {
    const last = this.entries.at(-1);
    if (last?.fragment.name !== 'user' || this.leaving.has(last)) return false;
    this.replace(last, { ...last, fragment: withReminder(last.fragment, reminder) });
    return true;
  }

  /** The messages that wait, under the ids they were given; "the last answer" is not settled yet. */
  list(): UIMessage[] {
    return this.entries.map(({ id, fragment }) => toUIMessage(fragment, id));
  }

  /** Drops one message; false when none of this id waits, or it is on its way to the store. */
  remove(givenId: string): boolean {
    const id = this.originalOf(givenId);
    const entry = this.byId.get(id);
    if (!entry || this.leaving.has(entry)) return false;
    this.editIds.delete(id);
    this.keep(this.entries.filter((each) => each !== entry));
    return true;
  }

  /** What waits is on its way now: saved, or left behind. What comes from here on is not part of it. */
  begin(): void {
    this.leaving = new Set(this.entries);
  }

  /** Nothing came of it: everything waits as before. */
  rollBack(): void {
    const { entries } = this;
    this.leaving = new Set();
    this.keep([]);
    for (const { id: given, fragment } of entries) {
      // Said under the id of an edit while that was on its way: now it is the same message again.
      const id = this.originalOf(given);
      const same = this.byId.get(id);
      if (same) this.replace(same, { id, fragment });
      else this.push({ id, fragment });
    }
  }

  /** What was on its way has arrived, and is forgotten; returns how many there were. */
  commit(): number {
    const { leaving } = this;
    for (const { id } of leaving) this.editIds.delete(id);
    this.leaving = new Set();
    this.keep(this.entries.filter((entry) => !leaving.has(entry)));
    return leaving.size;
  }

  /** The conversation that the messages come after: up to the head, or to where an edit branches off. */
  async before(conversation: Conversation): Promise<ConversationView> {
    this.settleLazy(conversation.atHead);
    return (await this.place(conversation, [...this.entries])).before;
  }

  async plan(conversation: Conversation): Promise<PendingPlan> {
    this.settleLazy(conversation.atHead);
    const entries =
      this.leaving.size > 0 ? this.entries.filter((entry) => this.leaving.has(entry)) : [...this.entries];
    const { standing } = this;
    const { parents, editAt, before } = await this.place(conversation, entries);
    let { turns } = before;
    const messages = entries.map(({ id, fragment }): PlannedMessage => {
      const replaces = parents.has(id) ? id : undefined;
      const newId = replaces === undefined ? id : this.editIdOf(id);
      const message = toUIMessage(fragment, newId, turns + 1, standing);
      if (isUserTurn(message)) turns += 1;
      return { message, replaces };
    });
    return { messages, editAt, before };
  }

  private async place(
    { atHead, at, parentsOf }: Conversation,
    entries: readonly Pending[],
  ): Promise<Pick<PendingPlan, 'editAt' | 'before'> & { parents: ReadonlyMap<string, string | null> }> {
    if (entries.length === 0) return { parents: new Map(), editAt: undefined, before: atHead };
    const parents = await parentsOf(entries.map(({ id }) => id));
    const firstEdit = entries.find(({ id }) => parents.has(id));
    if (!firstEdit) return { parents, editAt: undefined, before: atHead };
    const messageId = parents.get(firstEdit.id) ?? null;
    return { parents, editAt: { messageId }, before: await at(messageId) };
  }

  private editIdOf(id: string): string {
    const known = this.editIds.get(id);
    const editId = known ?? crypto.randomUUID();
    if (known === undefined) this.editIds.set(id, editId);
    return editId;
  }

  /** Whoever was shown the id of an edit means the message that is edited. Once that is stored, it has the id alone. */
  private originalOf(id: string): string {
    if (this.leaving.size > 0) return id;
    for (const [original, editId] of this.editIds) if (editId === id) return original;
    return id;
  }

  private push(entry: Pending): void {
    this.entries.push(entry);
    this.byId.set(entry.id, entry);
  }

  private replace(before: Pending, after: Pending): void {
    this.entries[this.entries.indexOf(before)] = after;
    this.byId.set(after.id, after);
  }

  private keep(entries: Pending[]): void {
    this.entries = entries;
    this.byId = new Map(entries.map((entry) => [entry.id, entry]));
  }

  /** "The last answer" may itself be pending: then it is said anew in its place. */
  private settleLazy({ lastAssistantId }: ConversationView): void {
    if (!this.entries.some(({ fragment }) => isLazyFragment(fragment))) return;
    const settled: Pending[] = [];
    const places = new Map<string, number>();
    const leaving = new Set(this.leaving);
    /** What is of the same id is said anew in its place, whichever of the two was settled only now. */
    const put = (entry: Pending): void => {
      const at = places.get(entry.id);
      const before = at === undefined ? undefined : settled[at];
      if (at !== undefined && before && leaving.has(before) === leaving.has(entry)) {
        leaving.delete(before);
        settled[at] = entry;
      } else places.set(entry.id, settled.push(entry) - 1);
    };
    for (const entry of this.entries) {
      if (!isLazyFragment(entry.fragment)) {
        put(entry);
        continue;
      }
      const answer = settled.findLast(({ fragment }) => fragment.name === 'assistant');
      const id = answer?.id ?? lastAssistantId ?? entry.id;
      const resolved = { id, fragment: resolveLazyFragment(entry.fragment, { lastAssistantId: id }) };
      if (leaving.delete(entry)) leaving.add(resolved);
      put(resolved);
    }
    this.leaving = leaving;
    this.keep(settled);
  }
}

/**
 * A planned message as the store takes it. A user message begins a turn and names it.
 * @throws NotStorableError
 */
export function asNewMessage(
  { message, replaces }: PlannedMessage,
  invocationId: string | undefined,
): NewMessage {
  const data: JsonValue = storable(message, 'message');
  return {
    id: message.id,
    name: message.role,
    type: 'message',
    data,
    invocationId: invocationId ?? (message.role === 'user' ? message.id : undefined),
    replaces,
    effects: undefined,
  };
}
