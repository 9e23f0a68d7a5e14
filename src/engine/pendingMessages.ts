import { AnswerSegments } from './answerSegments.ts';
import type { ConversationView } from './conversationPath.ts';
import { asData, carriedBy, carriedIn, withParts } from './fragments/carriedMessage.ts';
import type { Fragment } from './fragments/fragment.ts';
import {
  isLazyFragment,
  resolveLazyFragment,
  toUIMessage,
  withReminder,
} from './fragments/conversationFragments.ts';
import { targetOf, type ReminderTarget } from './fragments/reminders.ts';
import type { JsonValue } from './json.ts';
import type { ReminderChat } from './reminderRound.ts';
import { checkedId, storable } from './storable.ts';
import type { NewMessage } from './store.ts';
import { isReminderMessage, type UIMessage } from './uiMessage.ts';
import { isUserTurn } from './pathSummary.ts';

/** The name under which a message of reminders between steps is stored: it is no question. */
const REMINDER = 'reminder';

/** Immutable: adding its id again replaces it. */
interface Pending {
  /** The id it was given, even if it turns out to be an edit. */
  readonly id: string;
  readonly fragment: Fragment;
  /** A part of an answer up to a reminder between its steps, or that reminder. */
  readonly isStep?: true;
}

/** The messages that would be stored if the pending ones were saved now. */
export interface PendingPlan {
  readonly messages: readonly PlannedMessage[];
  /** Where the branch for edits begins: after this message, or (null) before the first. Undefined: no edits. */
  readonly editAt: { readonly messageId: string | null } | undefined;
  readonly before: ConversationView;
  /** The answer that is open there, and is none of the messages; its place among them. */
  readonly open: { readonly message: UIMessage; readonly at: number } | undefined;
}

/** What follows the stored messages: the pending messages, and the open answer. */
export function waitingIn({ open, messages }: PendingPlan): UIMessage[] {
  const waiting = messages.map(({ message }) => message);
  return open ? waiting.toSpliced(open.at, 0, open.message) : waiting;
}

export interface PlannedMessage {
  readonly message: UIMessage;
  readonly replaces: string | undefined;
}

export interface Conversation {
  readonly chat: ReminderChat;
  readonly atHead: ConversationView;
  readonly open: UIMessage | undefined;
  /** Null: before the first message. */
  readonly at: (messageId: string | null) => Promise<ConversationView>;
  /** The parents of those messages that exist in this chat; null for a root. */
  readonly parentsOf: (messageIds: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;
}

/** The messages added since the last save, in order. */
export class PendingMessages {
  private entries: Pending[] = [];
  private byId = new Map<string, Pending>();
  /** The ids assigned to edits, kept so that they stay the same until the edits are saved. */
  private readonly editIds = new Map<string, string>();
  /** The messages being saved; they can be replaced but no longer be changed. */
  private leaving: ReadonlySet<Pending> = new Set();
  /** Reminders added according to their conditions. */
  private standing: readonly Fragment[] = [];
  readonly answer = new AnswerSegments();
  /** When the last question was added. */
  private lastAskedAt: number | undefined;
  private asking = false;

  get standingReminders(): readonly Fragment[] {
    return this.standing;
  }

  remindAlways(reminder: Fragment): void {
    this.standing = [...this.standing, reminder];
  }

  remindersFor(target: ReminderTarget): readonly Fragment[] {
    return this.standing.filter((reminder) => targetOf(reminder) === target);
  }

  get hasStepReminders(): boolean {
    return this.standing.some((reminder) => targetOf(reminder) !== 'user');
  }

  /** Undefined where no question is pending. */
  get askedAt(): number | undefined {
    return this.entries.some(({ fragment }) => fragment.name === 'user') ? this.lastAskedAt : undefined;
  }

  /** True while a reminder is called, up to where it waits for something: the engine waits for it. */
  get isAsking(): boolean {
    return this.asking;
  }

  /** Calls what the caller has written. */
  readonly outside = <T>(call: () => T): T => {
    this.asking = true;
    try {
      return call();
    } finally {
      this.asking = false;
    }
  };

  /**
   * A message with a pending id replaces the pending one: nothing of it has been stored yet. Of a whole answer that
   * reminders have divided, the parts before the last of them go to the messages they ended.
   */
  add(given: Fragment): void {
    if (given.name === 'user') {
      this.lastAskedAt = Date.now();
      this.answer.begin();
    }
    this.put(given.name === 'assistant' ? this.lastSegment(given) : given);
  }

  /** A reminder between two steps ends what was answered up to there; both wait to be saved, in this order. */
  interrupt(segmentId: string, reminder: UIMessage): void {
    const { parts } = this.answer.end(segmentId);
    const segment: UIMessage = { id: segmentId, role: 'assistant', parts: [...parts] };
    const asPending = (id: string, name: string, message: UIMessage): Pending => {
      return { id, fragment: { id, name, type: 'message', data: asData({ message }) }, isStep: true };
    };
    this.push(asPending(segmentId, 'assistant', segment));
    this.push(asPending(reminder.id, REMINDER, reminder));
  }

  private put(fragment: Fragment): void {
    const given = checkedId(fragment.id ?? crypto.randomUUID(), 'message id');
    const id = this.originalOf(given);
    const same = isLazyFragment(fragment) ? undefined : this.byId.get(id);
    if (same) this.replace(same, { id, fragment });
    else this.push({ id, fragment });
  }

  /** Adds a reminder to the last pending message if that message is the user's. */
  remind(reminder: Fragment): boolean {
    const last = this.entries.at(-1);
    if (last?.fragment.name !== 'user' || this.leaving.has(last)) return false;
    this.replace(last, { ...last, fragment: withReminder(last.fragment, reminder) });
    return true;
  }

  /** The last one, under the id it would be saved under. */
  async last(
    conversation: Conversation,
  ): Promise<{ readonly id: string; readonly name: string } | undefined> {
    this.settleLazy(conversation);
    const last = inOrder(this.entries, conversation.open?.id).entries.at(-1);
    if (!last) return undefined;
    const isEdit = (await conversation.parentsOf([last.id])).has(last.id);
    return { id: isEdit ? this.editIdOf(last.id) : last.id, name: last.fragment.name };
  }

  /** Whether "the last answer" is still to be resolved. */
  get hasLazy(): boolean {
    return this.entries.some(({ fragment }) => isLazyFragment(fragment));
  }

  /** The pending messages under the ids they were given; "the last answer" is not resolved yet. */
  list(): UIMessage[] {
    return this.entries.map(({ id, fragment }) => toUIMessage(fragment, id));
  }

  remove(givenId: string): boolean {
    const id = this.originalOf(givenId);
    const entry = this.byId.get(id);
    if (!entry || this.leaving.has(entry)) return false;
    this.editIds.delete(id);
    this.keep(this.entries.filter((each) => each !== entry));
    return true;
  }

  /** Pending messages are now being saved, or dropped with the branch. Messages added later are not part of it. */
  begin(): void {
    this.leaving = new Set(this.entries);
  }

  rollBack(): void {
    const { entries } = this;
    this.leaving = new Set();
    this.keep([]);
    for (const entry of entries) {
      // Added under the id of an edit while that was being saved: it is the same message again.
      const id = this.originalOf(entry.id);
      const same = this.byId.get(id);
      if (same) this.replace(same, { ...entry, id });
      else this.push({ ...entry, id });
    }
  }

  /** Forgets the messages that were being saved; returns how many there were. */
  commit(): number {
    const { leaving } = this;
    for (const { id } of leaving) this.editIds.delete(id);
    this.leaving = new Set();
    this.keep(this.entries.filter((entry) => !leaving.has(entry)));
    return leaving.size;
  }

  /** The conversation that the messages follow: up to the head, or to where an edit branches off. */
  async before(conversation: Conversation): Promise<ConversationView> {
    this.settleLazy(conversation);
    return (await this.place(conversation, [...this.entries])).before;
  }

  async plan(conversation: Conversation): Promise<PendingPlan> {
    this.settleLazy(conversation);
    const entries =
      this.leaving.size > 0 ? this.entries.filter((entry) => this.leaving.has(entry)) : [...this.entries];
    const standing = this.remindersFor('user');
    const { parents, editAt, before } = await this.place(conversation, entries);
    // An edit is saved on another branch.
    const open = editAt ? undefined : conversation.open;
    const { entries: ordered, at, isFinished } = inOrder(entries, open?.id);
    const messages: PlannedMessage[] = [];
    let { turns } = before;
    for (const { id, fragment } of ordered) {
      const replaces = parents.has(id) ? id : undefined;
      const newId = replaces === undefined ? id : this.editIdOf(id);
      const { message, reminders } = carriedBy(fragment, newId);
      const asked = [...reminders, ...(message.role === 'user' ? standing : [])];
      const isPlain = asked.length === 0 || isReminderMessage(message);
      const turn = turns + 1;
      if (isUserTurn(message)) turns += 1;
      if (isPlain) {
        messages.push({ message, replaces });
        continue;
      }
      // Loaded on demand: most messages have no reminders.
      const { ReminderRound } = await import('./reminderRound.ts');
      const pending = messages.map((each) => each.message);
      const { chat } = conversation;
      const { outside } = this;
      const round = new ReminderRound({ before, pending, chat, turn, message, outside });
      for (const reminder of asked) await round.ask(reminder);
      messages.push({ message: round.added(message), replaces });
    }
    return { messages, editAt, before, open: open && !isFinished ? { message: open, at } : undefined };
  }

  /** An answer, or what of it came after the last reminder between its steps. */
  private lastSegment(fragment: Fragment): Fragment {
    if (!this.answer.isDivided || isLazyFragment(fragment)) return fragment;
    const carried = carriedIn(fragment);
    const divided = carried && this.answer.divide(carried.message.parts);
    if (!divided) return fragment;
    for (const { id, parts } of divided.segments) {
      const entry = this.byId.get(id);
      // The caller's parts may say more than the steps did, such as data of its own.
      if (!entry || this.leaving.has(entry)) continue;
      this.replace(entry, { ...entry, fragment: withParts(entry.fragment, parts) });
    }
    return withParts(fragment, divided.rest);
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

  /** A caller that was shown the id of an edit means the edited message, until the edit is stored. */
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

  /** "The last answer" may itself be pending: in that case it is replaced. */
  private settleLazy({ atHead, open }: Pick<Conversation, 'atHead' | 'open'>): void {
    if (!this.hasLazy) return;
    const lastAssistantId = open?.id ?? atHead.lastAssistantId;
    const settled: Pending[] = [];
    const places = new Map<string, number>();
    const leaving = new Set(this.leaving);
    /** A message with the same id replaces the earlier one, including ids resolved only now. */
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
 * The open answer was asked for before the messages that follow it, and its steps come before its end.
 * @returns where the answer is, or has its place
 */
function inOrder(
  entries: readonly Pending[],
  open: string | undefined,
): { readonly entries: readonly Pending[]; readonly at: number; readonly isFinished: boolean } {
  if (open === undefined) return { entries, at: 0, isFinished: false };
  const next = entries.findIndex(({ fragment }) => fragment.name === 'user');
  const asked = next === -1 ? entries : entries.slice(0, next);
  const steps = asked.filter(({ isStep }) => isStep === true);
  const finished = entries.filter(({ id }) => id === open);
  const first = [...steps, ...finished];
  return {
    entries: [...first, ...entries.filter((entry) => !first.includes(entry))],
    at: steps.length,
    isFinished: finished.length > 0,
  };
}

/** A user message begins a turn, and its id names the turn. @throws NotStorableError */
export function asNewMessage(
  { message, replaces }: PlannedMessage,
  invocationId: string | undefined,
): NewMessage {
  const data: JsonValue = storable(message, 'message');
  const isReminder = isReminderMessage(message);
  return {
    id: message.id,
    name: isReminder ? REMINDER : message.role,
    type: 'message',
    data,
    invocationId: invocationId ?? (message.role === 'user' && !isReminder ? message.id : undefined),
    replaces,
    effects: undefined,
  };
}
