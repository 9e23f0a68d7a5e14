import { batch, effect, signal, type Signal } from '@preact/signals';
import { z } from 'zod';
import type { ConversationView } from '../../protocol/chatFromHost.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import { chip, type Chip } from '../attachments/pendingAttachments.ts';
import type { Host } from '../answersConnection.ts';

const draftSchema = z.object({
  text: z.string(),
  chips: z.array(chip),
  /** The stored question that a rewind put there. */
  filled: z.string().optional(),
});
export type Draft = z.infer<typeof draftSchema>;

const memorySchema = z.object({ drafts: z.array(z.tuple([z.string(), draftSchema])) }).catch({ drafts: [] });

/** The oldest are removed first. */
const MAX_DRAFTS = 50;

const nothing: Draft = { text: '', chips: [] };

/** New chats have no branch yet and share this draft; it moves to the first branch of the one that is asked. */
const NEW_CHAT = 'new chat';

/** In earlier versions each new chat had a draft of its own, which no later one showed. */
const isNewChat = (key: string): boolean => key.startsWith('new ');

/** The input holds that of the shown branch; every change is stored at once, as the page may close at any time. */
export class Drafts {
  readonly text: Signal<string>;
  readonly filled = signal<string | undefined>(undefined);
  private readonly kept: Map<string, Draft>;
  private shown: string | undefined;
  private shownChat: string | undefined;
  private isAnnounced = false;

  /**
   * @param onChanged the user has changed the draft of the shown branch; called once for each branch
   * @param typed the text typed before the shown branch is known
   */
  constructor(
    private readonly memory: Host['memory'],
    private readonly chips: Signal<readonly Chip[]>,
    onChanged: () => void,
    typed = '',
  ) {
    this.text = signal(typed);
    const { drafts } = memorySchema.parse(memory.get());
    this.kept = new Map(drafts.map(([key, draft]) => [isNewChat(key) ? NEW_CHAT : key, draft]));
    effect(() => {
      const draft = { text: this.text.value, chips: [...this.chips.value], filled: this.filled.value };
      if (this.shown === undefined) return;
      this.keep(this.shown, draft);
      if (this.isAnnounced || !isOwn(draft)) return;
      this.isAnnounced = true;
      onChanged();
    });
  }

  show({ chat, branchId, question }: Pick<ConversationView, 'chat' | 'branchId' | 'question'>): void {
    const key = branchId ?? NEW_CHAT;
    const before = this.shown;
    const isSameChat = this.shownChat === chat.id;
    this.shownChat = chat.id;
    if (key === before) return;
    this.shown = key;
    if (before === NEW_CHAT && isSameChat) {
      this.keep(key, { text: this.text.peek(), chips: [...this.chips.peek()], filled: this.filled.peek() });
      this.remove(before);
      return;
    }
    const kept = this.kept.get(key) ?? (question ? asDraft(question) : nothing);
    this.isAnnounced = isOwn(kept);
    const draft = before === undefined ? this.withTyped(kept) : kept;
    batch(() => {
      this.text.value = draft.text;
      this.chips.value = draft.chips;
      this.filled.value = draft.filled;
    });
  }

  /** The user can type before the conversation is loaded; that text is appended to the draft. */
  private withTyped(draft: Draft): Draft {
    const text = [draft.text, this.text.peek()].filter((each) => each !== '').join('\n\n');
    return { ...draft, text, chips: [...draft.chips, ...this.chips.peek()] };
  }

  get(key: string): Draft {
    return this.kept.get(key) ?? nothing;
  }

  /** Stores a draft that is not in the input. */
  keep(key: string, draft: Draft): void {
    const isEmpty = draft.text === '' && draft.chips.length === 0;
    if (isEmpty && !this.kept.has(key)) return;
    this.kept.delete(key);
    if (!isEmpty) this.kept.set(key, draft);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_DRAFTS && oldest !== undefined) this.kept.delete(oldest);
    this.memory.set({ drafts: [...this.kept] });
  }

  /** A question that was sent from a branch which is not shown any more. */
  putBack(key: string, text: string, attachments: readonly Attachment[] = []): void {
    const { text: typed, chips, ...rest } = this.get(key);
    this.keep(key, {
      ...rest,
      text: [text, typed].filter((each) => each !== '').join('\n\n'),
      chips: [...attachments.map((attachment) => ({ attachment })), ...chips],
    });
  }

  remove(key: string): void {
    this.keep(key, nothing);
  }
}

function asDraft({ text, attachments }: NonNullable<ConversationView['question']>): Draft {
  const chips = attachments.map((attachment) => ({ attachment, isStored: true as const }));
  return { text, chips, ...(text === '' ? {} : { filled: text }) };
}

/** Whether it is more than a rewind put there. */
function isOwn({ text, chips, filled }: Draft): boolean {
  return (text.trim() !== '' && text !== filled) || chips.some(({ isStored }) => isStored !== true);
}

export interface ComposerPrefill {
  readonly text?: string;
  readonly sideQuestion: boolean;
  /** It is a stored question: until it is changed, it does not count as a draft. */
  readonly isStored?: boolean;
  /** It answers what the page asked for: by now the user may type in another box. */
  readonly isReply?: boolean;
}
