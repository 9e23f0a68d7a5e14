import { signal } from '@preact/signals';
import type { JSX } from 'preact';

/** In the order in which they stand; the first that asks is opened. */
export type SegmentId = 'notices' | 'plan' | 'sideQuestions' | 'queue' | 'todos' | 'review';

/** What a feature offers to the line above the input: a few words of it, and the panel that they open. */
export interface TraySegment {
  readonly id: SegmentId;
  readonly icon: string;
  /** Shown where there is room for the words of all segments; begins with `count`. */
  readonly label: string;
  /** Always shown. */
  readonly count?: string;
  /** Follows the label in the accessible name and the tooltip. */
  readonly detail?: string;
  readonly urgency: 'quiet' | 'working' | 'asking';
  /** Each opens the panel once. */
  readonly opensFor?: readonly string[];
  /** The same, but not for what a chat has when it is opened. */
  readonly opensForNew?: readonly string[];
  readonly panel: () => JSX.Element;
}

/** Which panel is open: at most one. */
export class Tray {
  readonly open = signal<SegmentId | undefined>(undefined);
  private offered: readonly TraySegment[] = [];
  private chatId: string | undefined;
  private reasons: ReadonlySet<string> = new Set();

  toggle(id: SegmentId): void {
    this.open.value = this.open.peek() === id ? undefined : id;
  }

  close(): void {
    this.open.value = undefined;
  }

  /**
   * Opens what needs the user now.
   * @param isTyping in the open panel, which then stays
   */
  offer(segments: readonly TraySegment[], chatId: string | undefined, isTyping: boolean): void {
    const hasOpen = (each: readonly TraySegment[]): boolean => each.some(({ id }) => id === this.open.peek());
    if (hasOpen(this.offered) && !hasOpen(segments)) this.close();
    this.offered = segments;
    if (chatId !== this.chatId) {
      const known = segments.flatMap(({ opensForNew = [] }) => opensForNew);
      this.reasons = new Set([...this.reasons, ...known]);
      this.chatId = chatId;
    }
    if (isTyping) return;
    const asking = segments.find((each) => reasonsOf(each).some((reason) => !this.reasons.has(reason)));
    // A reason that has gone and comes again opens it again.
    this.reasons = new Set(segments.flatMap(reasonsOf));
    if (asking) this.open.value = asking.id;
  }

  /** The user has gone on: what is done takes no more room. */
  goOn(segments: readonly TraySegment[], isTyping: boolean): void {
    const open = segments.find(({ id }) => id === this.open.peek());
    if (open?.urgency === 'quiet' && !isTyping) this.close();
  }
}

function reasonsOf({ opensFor = [], opensForNew = [] }: TraySegment): string[] {
  return [...opensFor, ...opensForNew];
}
