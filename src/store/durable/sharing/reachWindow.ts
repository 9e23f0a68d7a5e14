import { OffshootError } from '../../../engine/errors.ts';
import { defineMessage } from '../../../engine/messageDescriptor.ts';

/** How long a question waits for another window to take over, in milliseconds. */
const TAKEOVER_MS = 3_000;

/** The pause between two attempts, in milliseconds. */
const RETRY_MS = 50;

/** No window has these conversations open, so the user cannot be asked. */
export class NoWindowError extends OffshootError {
  constructor() {
    super(
      'no-window',
      defineMessage(
        'No VS Code window has these conversations open, so nobody can be asked. Open the workspace in VS Code with Offshoot, then try again.',
      ),
    );
  }
}

/**
 * Connects to the writing window. A contact file left by a window that has ended means that another may be about to
 * take over.
 * @throws NoWindowError
 */
export async function reachWindow<T>(
  connect: () => Promise<T | undefined>,
  hasContact: () => Promise<boolean>,
  { signal, delay }: { readonly signal: AbortSignal; readonly delay: (ms: number) => Promise<void> },
): Promise<T> {
  const end = performance.now() + TAKEOVER_MS;
  for (;;) {
    const client = await connect();
    if (client !== undefined) return client;
    signal.throwIfAborted();
    if (!(await hasContact()) || performance.now() > end) throw new NoWindowError();
    await delay(RETRY_MS);
  }
}
