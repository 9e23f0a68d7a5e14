import type { Disposable } from '../../base/disposable.ts';
import type { MomentView } from '../../protocol/views.ts';
import { PathMoments } from './pathMoments.ts';

/** Looks back along the active branch, when asked to: until it ends, the editors show files as they were. */
export class LookBack implements Disposable {
  private moments: Promise<PathMoments> | undefined;

  constructor(
    private readonly context: Parameters<typeof PathMoments.read>[0],
    private readonly chatId: () => Promise<string>,
  ) {}

  /**
   * @param to counts from 0; undefined: begins, at the end of the branch
   * @returns undefined where there is no message
   */
  async show(to: number | undefined): Promise<MomentView | undefined> {
    if (to === undefined) await this.end();
    return (await this.read()).show(to);
  }

  /** Undefined for a message that is not on the branch. */
  async showMessage(messageId: string): Promise<MomentView | undefined> {
    return (await this.read()).showMessage(messageId);
  }

  /**
   * The editors show the files again.
   * @param options `takesFocus`: an editor had it
   */
  async end(options: { readonly takesFocus?: boolean } = {}): Promise<void> {
    const { moments } = this;
    this.moments = undefined;
    await (await moments)?.end(options);
  }

  dispose(): void {
    void this.end();
  }

  private read(): Promise<PathMoments> {
    return (this.moments ??= this.chatId().then((chatId) => PathMoments.read(this.context, chatId)));
  }
}
