import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { FromHost } from '../../protocol/fromHost.ts';
import { connectHost, type Host } from '../host.ts';
import {
  dismissFailure,
  emptyPage,
  missingEarlier,
  reduce,
  shownMessages,
  type PageState,
} from './pageState.ts';
import { setTexts } from './texts.ts';
import type { MessageView } from '../../protocol/views.ts';

/** What the host wants of the input. */
export interface ComposerWish {
  readonly text?: string;
  readonly aside: boolean;
}

/** The page's one store: fed by the host, read by the components. */
export class Page {
  readonly host: Host;
  readonly state = signal<PageState>(emptyPage);
  readonly messages: ReadonlySignal<MessageView[]> = computed(() => shownMessages(this.state.value));
  readonly missing: ReadonlySignal<number> = computed(() => missingEarlier(this.state.value));
  readonly wish = signal<ComposerWish | undefined>(undefined);
  private queued: FromHost[] = [];
  private request = 0;
  private awaited: string | undefined;

  constructor() {
    this.host = connectHost((message) => this.receive(message));
    this.host.send({ type: 'ready' });
  }

  /** Says what the page itself could not do. */
  fail(text: string): void {
    this.state.value = reduce(this.state.value, { type: 'actionFailed', text });
  }

  dismissFailure(index: number): void {
    this.state.value = dismissFailure(this.state.value, index);
  }

  /** Fetches what stands before the first message; once for each. */
  loadEarlier(): void {
    const { conversation } = this.state.value;
    const [first] = this.messages.value;
    if (!conversation || !first || this.missing.value === 0 || this.awaited === first.id) return;
    this.awaited = first.id;
    this.request += 1;
    this.host.send({
      type: 'loadEarlier',
      request: this.request,
      branch: conversation.branch,
      beforeMessageId: first.id,
    });
  }

  private receive(message: FromHost): void {
    switch (message.type) {
      case 'localised':
        setTexts(message.texts);
        return;
      case 'composerFilled':
        this.wish.value = { text: message.text, aside: false };
        return;
      case 'composerFocused':
        this.wish.value = { aside: message.aside };
        return;
      case 'answerDelta':
        // A fast model sends more often than a screen can show.
        if (this.queued.length === 0) requestAnimationFrame(() => this.applyQueued());
        this.queued.push(message);
        return;
      case 'conversationChanged':
      case 'earlierMessages':
      case 'actionFailed':
        this.applyQueued();
        this.state.value = reduce(this.state.value, message);
    }
  }

  private applyQueued(): void {
    const queued = this.queued;
    this.queued = [];
    if (queued.length === 0) return;
    this.state.value = queued.reduce(reduce, this.state.value);
    if (this.state.value.isOutOfStep) this.host.send({ type: 'ready' });
  }
}
