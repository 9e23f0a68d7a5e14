import { batch, effect, signal, type Signal } from '@preact/signals';
import { z } from 'zod';
import type { ConversationView } from '../../protocol/views.ts';
import { chip, type Chip } from '../attachments/pendingAttachments.ts';
import type { Host } from '../answersConnection.ts';

const draftSchema = z.object({
  text: z.string(),
  chips: z.array(chip),
  /** The question of the conversation that a rewind put there. */
  filled: z.string().optional(),
});
/** What is typed and not sent. */
export type Draft = z.infer<typeof draftSchema>;

const memorySchema = z.object({ drafts: z.array(z.tuple([z.string(), draftSchema])) }).catch({ drafts: [] });

/** How many drafts are kept; those that were changed longest ago go first. */
const MAX_DRAFTS = 50;

const nothing: Draft = { text: '', chips: [] };

/** A chat that is not there yet has no branch; what is typed for it goes along to its first. */
const newChatKey = (chatId: string): string => `new ${chatId}`;

/**
 * What is typed, for each branch. The input holds that of the branch which is shown; every change is kept at once, for
 * the page may go with the next key.
 */
export class Drafts {
  readonly text: Signal<string>;
  readonly filled = signal<string | undefined>(undefined);
  private readonly kept: Map<string, Draft>;
  private shown: string | undefined;
  private isAnnounced = false;

  /**
   * @param chips what goes with the question in the input
   * @param onChanged the draft of the branch that is shown is the user's own now; once for each branch
   * @param typed what was typed before it is known which branch is shown
   */
  constructor(
    private readonly memory: Host['memory'],
    private readonly chips: Signal<readonly Chip[]>,
    onChanged: () => void,
    typed = '',
  ) {
    this.text = signal(typed);
    this.kept = new Map(memorySchema.parse(memory.get()).drafts);
    effect(() => {
      const draft = { text: this.text.value, chips: [...this.chips.value], filled: this.filled.value };
      if (this.shown === undefined) return;
      this.keep(this.shown, draft);
      if (this.isAnnounced || !isOwn(draft)) return;
      this.isAnnounced = true;
      onChanged();
    });
  }

  /** Puts the draft of the branch that is shown now into the input. */
  show({ chat, branchId }: Pick<ConversationView, 'chat' | 'branchId'>): void {
    const key = branchId ?? newChatKey(chat.id);
    const before = this.shown;
    if (key === before) return;
    this.shown = key;
    if (before === newChatKey(chat.id)) {
      this.keep(key, { text: this.text.peek(), chips: [...this.chips.peek()], filled: this.filled.peek() });
      this.remove(before);
      return;
    }
    const kept = this.get(key);
    this.isAnnounced = isOwn(kept);
    const draft = before === undefined ? this.withTyped(kept) : kept;
    batch(() => {
      this.text.value = draft.text;
      this.chips.value = draft.chips;
      this.filled.value = draft.filled;
    });
  }

  /** Nobody waits for the conversation to type; what was typed till then comes after what was there. */
  private withTyped(draft: Draft): Draft {
    const text = [draft.text, this.text.peek()].filter((each) => each !== '').join('\n\n');
    return { ...draft, text, chips: [...draft.chips, ...this.chips.peek()] };
  }

  get(key: string): Draft {
    return this.kept.get(key) ?? nothing;
  }

  /** Keeps a draft that is not in the input. */
  keep(key: string, draft: Draft): void {
    const isEmpty = draft.text === '' && draft.chips.length === 0;
    if (isEmpty && !this.kept.has(key)) return;
    this.kept.delete(key);
    if (!isEmpty) this.kept.set(key, draft);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_DRAFTS && oldest !== undefined) this.kept.delete(oldest);
    this.memory.set({ drafts: [...this.kept] });
  }

  remove(key: string): void {
    this.keep(key, nothing);
  }
}

/** Whether it is more than a rewind put there. */
function isOwn({ text, chips, filled }: Draft): boolean {
  return (text.trim() !== '' && text !== filled) || chips.some(({ isStored }) => isStored !== true);
}
