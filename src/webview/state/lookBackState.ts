import { signal } from '@preact/signals';
import type { Host } from '../answersConnection.ts';
import type { MomentView } from '../../protocol/views.ts';

/** Which moment of the branch the chat and the editors show, if not the present. */
export class LookBackState {
  readonly moment = signal<MomentView | undefined>(undefined);
  /** The place that was asked for last, until it is shown: the slider does not wait. */
  readonly wanted = signal<number | undefined>(undefined);
  private isAsking = false;
  /** Counts beginnings and ends: a reply to an earlier one is too late. */
  private turn = 0;

  constructor(
    private readonly host: Pick<Host, 'send' | 'sendRequest'>,
    private readonly preview: (messageId: string | undefined) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  begin(): void {
    this.ask(undefined);
  }

  /** Of places that are asked for while one is awaited, only the last is shown. */
  show(place: number): void {
    this.wanted.value = place;
    if (!this.isAsking) this.ask(place);
  }

  end(): void {
    if (!this.moment.value && !this.isAsking) return;
    this.leave();
    this.host.send({ type: 'lookBackEnded' });
    this.preview(undefined);
  }

  rewindHere(): void {
    const messageId = this.moment.value?.messageId;
    this.end();
    if (messageId !== undefined)
      this.host.send({ type: 'runCommandHere', command: 'rewindToHere', messageId });
  }

  private leave(): void {
    this.turn += 1;
    this.isAsking = false;
    this.moment.value = undefined;
    this.wanted.value = undefined;
  }

  private ask(to: number | undefined): void {
    const { turn } = this;
    this.isAsking = true;
    this.host.sendRequest({ type: 'lookBack', ...(to === undefined ? {} : { to }) }).then(
      ({ moment }) => {
        if (turn !== this.turn) return;
        this.isAsking = false;
        this.moment.value = moment;
        if (moment && to !== undefined) this.preview(moment.messageId);
        const { value: wanted } = this.wanted;
        if (wanted === to || wanted === undefined) this.wanted.value = undefined;
        else this.ask(wanted);
      },
      (error: unknown) => {
        if (turn !== this.turn) return;
        this.end();
        this.failed(error);
      },
    );
  }
}
