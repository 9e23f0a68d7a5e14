import { isLazyFragment, resolveLazyFragment, toUIMessage, withReminder } from './fragments/messages.ts';
import type { Fragment } from './fragments/fragment.ts';
import type { JsonValue } from './json.ts';
import { checkedId, storable } from './storable.ts';
import type { NewMessage } from './store.ts';
import type { UIMessage } from './uiMessage.ts';

/** A message that waits for `save()`. */
interface Pending {
  fragment: Fragment;
  /** Set when it turns out to be an edit: the id it gets instead, kept so that it stays the same until it is saved. */
  edit: { readonly id: string; readonly of: string } | undefined;
}

/** What the pending messages will become, had they to be saved now. */
export interface PendingPlan {
  readonly messages: readonly PlannedMessage[];
  /** Where the branch for edits begins: after this message, or (null) before the first. Undefined: no edits. */
  readonly editAt: { readonly messageId: string | null } | undefined;
}

export interface PlannedMessage {
  readonly message: UIMessage;
  readonly replaces: string | undefined;
}

/** What a plan needs to know of the conversation. */
export interface Conversation {
  readonly lastAssistantId: () => string | undefined;
  /** The parents of those messages that this chat has; null for a root. */
  readonly parentsOf: (messageIds: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;
}

/** The messages said since the last save, in order. */
export class PendingMessages {
  private entries: Pending[] = [];
  /** Each entry by the id it was given, and by the id an edit gets instead. */
  private readonly byId = new Map<string, Pending>();

  get count(): number {
    return this.entries.length;
  }

  /** An id that is pending already is said anew in its place: nothing has been stored of it yet. */
  add(fragment: Fragment): void {
    const same = fragment.id === undefined ? undefined : this.byId.get(fragment.id);
    if (same && !isLazyFragment(fragment)) same.fragment = fragment;
    else this.push({ fragment, edit: undefined });
  }

  /** Adds a reminder to the last pending message if that is the person's. */
  remind(reminder: Fragment): boolean {
    const last = this.entries.at(-1);
    if (last?.fragment.name !== 'user') return false;
    last.fragment = withReminder(last.fragment, reminder);
    return true;
  }

  clear(): number {
    const { count } = this;
    this.replace([]);
    return count;
  }

  /** Forgets the first `count` messages: they have been saved. */
  saved(count: number): void {
    this.replace(this.entries.slice(count));
  }

  fragments(): readonly Fragment[] {
    return this.entries.map(({ fragment }) => fragment);
  }

  async plan(conversation: Conversation): Promise<PendingPlan> {
    this.settleLazy(conversation.lastAssistantId);
    let editAt: PendingPlan['editAt'];
    const messages: PlannedMessage[] = [];
    if (this.entries.length === 0) return { messages, editAt };
    const known = this.entries.map((entry) => ({ entry, original: givenId(entry) }));
    const parents = await conversation.parentsOf(known.map(({ original }) => original));
    for (const { entry, original } of known) {
      const parent = parents.get(original);
      if (parent !== undefined) {
        entry.edit ??= { id: crypto.randomUUID(), of: original };
        this.byId.set(entry.edit.id, entry);
        editAt ??= { messageId: parent };
      }
      const id = entry.edit?.id ?? original;
      entry.fragment = { ...entry.fragment, id: original };
      messages.push({ message: toUIMessage(entry.fragment, id), replaces: entry.edit?.of });
    }
    return { messages, editAt };
  }

  private push(entry: Pending): void {
    this.entries.push(entry);
    if (entry.fragment.id !== undefined) this.byId.set(entry.fragment.id, entry);
    if (entry.edit) this.byId.set(entry.edit.id, entry);
  }

  private replace(entries: readonly Pending[]): void {
    this.entries = [];
    this.byId.clear();
    for (const entry of entries) this.push(entry);
  }

  /** "The last answer" may itself be pending: then it is said anew in its place. */
  private settleLazy(lastSavedAssistantId: () => string | undefined): void {
    if (!this.entries.some(({ fragment }) => isLazyFragment(fragment))) return;
    const settled: Pending[] = [];
    for (const entry of this.entries) {
      if (!isLazyFragment(entry.fragment)) {
        settled.push(entry);
        continue;
      }
      const pending = settled.findLast(({ fragment }) => fragment.name === 'assistant');
      if (pending) {
        const id = pending.fragment.id;
        pending.fragment = resolveLazyFragment(entry.fragment, { lastAssistantId: id });
      } else {
        settled.push({
          fragment: resolveLazyFragment(entry.fragment, { lastAssistantId: lastSavedAssistantId() }),
          edit: entry.edit,
        });
      }
    }
    this.replace(settled);
  }
}

function givenId({ fragment, edit }: Pending): string {
  return edit?.of ?? checkedId(fragment.id ?? crypto.randomUUID(), 'message id');
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
