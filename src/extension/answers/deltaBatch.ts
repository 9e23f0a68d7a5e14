import type { RunEvent } from '../../agent/runs.ts';
import type { AnswersFromHost } from '../../protocol/answersFromHost.ts';

type Delta = Extract<RunEvent, { kind: 'delta' }>;
type DeltaMessage = Extract<AnswersFromHost, { type: 'answerDelta' }>;

/** About sixty times a second: as often as a page can display anything. */
const INTERVAL_MS = 16;

/** Batches what is streamed, so that a fast model does not send a message to the page for each token. */
export class DeltaBatch {
  private pending = new Map<string, { first: Delta; texts: string[] }>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly send: (message: DeltaMessage) => void) {}

  add(delta: Delta): void {
    const key = `${delta.messageId} ${delta.partIndex}`;
    const known = this.pending.get(key);
    if (known) known.texts.push(delta.text);
    else this.pending.set(key, { first: delta, texts: [delta.text] });
    this.timer ??= setTimeout(() => this.flush(), INTERVAL_MS);
  }

  flush(): void {
    this.dispose();
    const batch = this.pending;
    this.pending = new Map();
    for (const { first, texts } of batch.values()) {
      this.send({
        type: 'answerDelta',
        chatId: first.run.chatId,
        branch: first.branch,
        messageId: first.messageId,
        partIndex: first.partIndex,
        part: { type: first.partType, text: texts.join('') },
        offset: first.offset,
      });
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
