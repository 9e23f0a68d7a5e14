import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { CompactionView } from '../../protocol/chatFromHost.ts';

/** How far the user opened elements, by id: kept while they are not drawn. */
export class Opened {
  private readonly extents = new Map<string, number>();

  /** `unless` if the user did not change it. */
  get(id: string, unless: number): number {
    return this.extents.get(id) ?? unless;
  }

  set(id: string, extent: number): void {
    this.extents.set(id, extent);
  }
}

/** Folded until the user opens them; identified by the last one, as a long conversation is not loaded completely. */
export class CompactedFold {
  /** The summary whose messages the user has opened. */
  private readonly opened = signal<string | undefined>(undefined);
  /** The index of the last covered message, if the page knows it; otherwise -1. */
  private readonly end = computed(() => {
    const until = this.compaction.value?.until;
    return until === undefined ? -1 : this.known.value.indexOf(until);
  });
  readonly isOpen = computed(() => {
    const { compaction } = this;
    return compaction.value !== undefined && compaction.value.messageId === this.opened.value;
  });
  /** Messages are folded, so that no earlier ones need to be loaded. */
  readonly isClosed = computed(() => this.end.value >= 0 && !this.isOpen.value);
  readonly shown = computed<readonly string[]>(() => {
    const ids = this.known.value;
    if (!this.isClosed.value) return ids;
    const kept = new Set(this.compaction.value?.kept);
    return ids.filter((id, index) => index > this.end.value || kept.has(id));
  });
  /** The message before the line; undefined: it precedes all, or there is none. */
  readonly after = computed(() => (this.isOpen.value ? this.compaction.value?.until : undefined));

  /** @param known the messages whose position is known */
  constructor(
    readonly compaction: ReadonlySignal<CompactionView | undefined>,
    private readonly known: ReadonlySignal<readonly string[]>,
  ) {}

  toggle(): void {
    this.opened.value = this.isOpen.peek() ? undefined : this.compaction.peek()?.messageId;
  }

  /** Opens it for a message that is folded or not known yet. */
  openFor(messageId: string): void {
    if (this.isClosed.peek() && !this.shown.peek().includes(messageId)) this.toggle();
  }
}
