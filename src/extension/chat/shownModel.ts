import { delay } from '../../host/timers.ts';
import type { ModelView } from '../../protocol/chatFromHost.ts';

/** How long a conversation that has been read waits for its model, in milliseconds. */
const WAIT_MS = 30;

/**
 * The model that questions go to, as a conversation shows it. It may be a server that has to be asked for it: then the
 * conversation is shown with what is known of it, and the model follows.
 */
export class ShownModel {
  private known: ModelView | undefined;

  /**
   * @param find never fails
   * @param chosen what the settings say of it; undefined if they name none
   * @param onDidFind is called when it differs from what was shown in its place
   */
  constructor(
    private readonly find: () => Promise<ModelView>,
    private readonly chosen: () => ModelView | undefined,
    private readonly onDidFind: () => void,
  ) {}

  /** Begins to look for it. @returns what gives it, to be called once the rest has been read */
  look(): () => Promise<ModelView> {
    let shown: ModelView | undefined;
    const finding = this.find().then((found) => {
      this.known = found;
      if (shown && JSON.stringify(shown) !== JSON.stringify(found)) this.onDidFind();
      return found;
    });
    return async () => {
      const chosen = this.chosen();
      if (!chosen) return finding;
      const found = await Promise.race([finding, delay(WAIT_MS)]);
      return found ?? (shown = this.known?.id === chosen.id ? this.known : chosen);
    };
  }
}
