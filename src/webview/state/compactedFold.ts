import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { CompactionView } from '../../protocol/contextViews.ts';

/**
 * The messages that the model is sent a summary of: folded until the user opens them. They are known by the last of
 * them, as a long conversation is not held whole.
 */
export class CompactedFold {
  /** The summary whose messages the user has opened. */
  private readonly opened = signal<string | undefined>(undefined);
  /** The place of the last message that is covered, where the page knows that; -1 otherwise. */
  private readonly end = computed(() => {
    const until = this.compaction.value?.until;
    return until === undefined ? -1 : this.known.value.indexOf(until);
  });
  readonly isOpen = computed(() => {
    const { compaction } = this;
    return compaction.value !== undefined && compaction.value.messageId === this.opened.value;
  });
  /** Something is folded, and nothing before it is to be fetched. */
  readonly isClosed = computed(() => this.end.value >= 0 && !this.isOpen.value);
  readonly shown = computed<readonly string[]>(() => {
    const ids = this.known.value;
    if (!this.isClosed.value) return ids;
    const kept = new Set(this.compaction.value?.kept);
    return ids.filter((id, index) => index > this.end.value || kept.has(id));
  });
  /** The message that the line stands after; undefined: it stands before all, or there is none. */
  readonly after = computed(() => (this.isOpen.value ? this.compaction.value?.until : undefined));

  /**
   * @param compaction what the conversation was compacted to
   * @param known the messages whose place is known
   */
  constructor(
    readonly compaction: ReadonlySignal<CompactionView | undefined>,
    private readonly known: ReadonlySignal<readonly string[]>,
  ) {}

  toggle(): void {
    this.opened.value = this.isOpen.peek() ? undefined : this.compaction.peek()?.messageId;
  }

  /** Opens it for a message that is folded, or that is not known yet. */
  openFor(messageId: string): void {
    if (this.isClosed.peek() && !this.shown.peek().includes(messageId)) this.toggle();
  }
}
