import { PassingNotes, StoredNotes } from './pageNotes.ts';
import { RenderingGuard } from './renderingGuard.ts';

/** A page holds a lock of this name and its id; the browser frees it when the page ends for any reason. */
const LOCK = 'offshoot.page.';

/**
 * Makes the guard of this page. It must exist before anything is drawn.
 * @param fail gets the reason where the browser provides no storage in frames: crashes are not detected there
 */
export async function guardPage(fail: (error: unknown) => void): Promise<RenderingGuard> {
  const page = crypto.randomUUID();
  try {
    const notes = new StoredNotes(localStorage);
    const alive = await pagesAlive(page);
    const guard = new RenderingGuard(notes, page, (other) => alive.has(LOCK + other), fail);
    addEventListener('pagehide', () => guard.leave());
    return guard;
  } catch (error) {
    fail(error);
    return new RenderingGuard(new PassingNotes(), page, () => false, fail);
  }
}

/** The names of the locks that pages hold, from now on including this one. */
async function pagesAlive(page: string): Promise<ReadonlySet<string | undefined>> {
  await new Promise<void>((resolve, reject) => {
    const end = new Promise<never>(() => undefined);
    navigator.locks
      .request(LOCK + page, () => {
        resolve();
        return end;
      })
      .catch(reject);
  });
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map(({ name }) => name));
}
