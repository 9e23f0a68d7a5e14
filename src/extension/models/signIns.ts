import type { StartedSignIn } from '../../models/providers/hosted/signIn.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { ModelError } from '../../models/errors/modelErrors.ts';

export interface SignInsOptions {
  /** A link to this window of the editor that a browser can open. */
  readonly callbackTo: (path: string) => PromiseLike<string>;
  /** Opens a page in the user's browser; false: the user did not want it. */
  readonly open: (page: string) => PromiseLike<boolean>;
}

interface ReceivedLink {
  readonly path: string;
  readonly query: string;
}

const PATH = '/sign-in/';

/** The sign-ins that wait for the user's browser. */
export class SignIns {
  private readonly waiting = new Map<string, (code: string | undefined) => void>();

  constructor(private readonly options: SignInsOptions) {}

  /**
   * @returns the key; undefined when stopped
   * @throws ModelError `sign-in`
   */
  async run(
    start: (callback: string) => Promise<StartedSignIn>,
    label: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    // Nobody else can guess the link that is waited for.
    const path = PATH + crypto.randomUUID();
    const { page, keyFor } = await start(await this.options.callbackTo(path));
    const arrived = Promise.withResolvers<string | undefined>();
    this.waiting.set(path, arrived.resolve);
    const stopped = Promise.withResolvers<'stopped'>();
    const stop = (): void => stopped.resolve('stopped');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      if (!(await this.options.open(page))) return undefined;
      const code = await Promise.race([arrived.promise, stopped.promise.then(() => null)]);
      if (code === null) return undefined;
      if (code === undefined) {
        throw new ModelError(
          'sign-in',
          defineMessage('{0} gave no key. Sign in again, or enter a key.', label),
        );
      }
      return await keyFor(code);
    } finally {
      this.waiting.delete(path);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Whether a link was meant for a sign-in; one that nothing waits for is ignored. */
  received({ path, query }: ReceivedLink): boolean {
    if (!path.startsWith(PATH)) return false;
    const code = new URLSearchParams(query).get('code') ?? '';
    this.waiting.get(path)?.(code === '' ? undefined : code);
    return true;
  }
}
