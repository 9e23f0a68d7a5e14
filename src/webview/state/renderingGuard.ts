import { z } from 'zod';

/** After this many consecutive crashes on a chat, the next page shows it as plain text. */
const DEATHS = 2;

/** The maximum number of chats with crash counts. */
const MAX_CHATS = 100;

/** The prefix of the note of a drawing page, followed by its id. */
const DRAWING = 'offshoot.drawing.';
const DIED = 'offshoot.died';

/** The number of consecutive crashes, by chat. */
const deaths = z.record(z.string(), z.number().int().positive());

/**
 * Records which chat this page begins to draw and whether it survives, so that stored content cannot lock the user
 * out: a chat on which two consecutive pages crashed is shown as plain text. A page that hangs or crashes leaves its
 * note behind; one that is reloaded, hidden or closed removes it ({@link leave}), at any progress.
 */
export class RenderingGuard {
  private chatId: string | undefined;
  private readonly died: Map<string, number>;

  /**
   * @param page its unique id
   * @param isAlive whether another page, by its id, still exists: it may be drawing in another window
   * @param fail gets errors of the notes; the page continues without them
   */
  constructor(
    private readonly notes: PageNotes,
    private readonly page: string,
    isAlive: (page: string) => boolean,
    private readonly fail: (error: unknown) => void,
  ) {
    this.died = this.readDied();
    const dead = notes
      .names()
      .filter((name) => name.startsWith(DRAWING) && !isAlive(name.slice(DRAWING.length)));
    for (const name of dead) {
      const chatId = notes.read(name);
      if (chatId !== undefined) this.count(chatId);
      this.write(name);
    }
    if (dead.length > 0) this.keep();
  }

  isPlain(chatId: string): boolean {
    return (this.died.get(chatId) ?? 0) >= DEATHS;
  }

  begin(chatId: string): void {
    if (this.chatId === chatId) return;
    this.chatId = chatId;
    this.write(DRAWING + this.page, chatId);
  }

  /** Everything is drawn, and the page responds. */
  end(): void {
    const { chatId } = this;
    if (chatId === undefined) return;
    this.leave();
    if (this.died.delete(chatId)) this.keep();
  }

  /** The page ends normally: what it was drawing did not crash it. */
  leave(): void {
    if (this.chatId === undefined) return;
    this.chatId = undefined;
    this.write(DRAWING + this.page);
  }

  /** A chat is drawn fully again; after one more crash, it is plain again. */
  renderAgain(chatId: string): void {
    if (!this.isPlain(chatId)) return;
    this.died.set(chatId, DEATHS - 1);
    this.keep();
  }

  private count(chatId: string): void {
    const before = this.died.get(chatId) ?? 0;
    // A map keeps insertion order: older entries are removed first.
    this.died.delete(chatId);
    this.died.set(chatId, before + 1);
    for (const oldest of this.died.keys()) {
      if (this.died.size <= MAX_CHATS) break;
      this.died.delete(oldest);
    }
  }

  private keep(): void {
    this.write(DIED, this.died.size === 0 ? undefined : JSON.stringify(Object.fromEntries(this.died)));
  }

  private readDied(): Map<string, number> {
    try {
      const text = this.notes.read(DIED);
      return new Map(text === undefined ? [] : Object.entries(deaths.parse(JSON.parse(text))));
    } catch (error) {
      this.fail(error);
      return new Map();
    }
  }

  private write(name: string, text?: string): void {
    try {
      this.notes.write(name, text);
    } catch (error) {
      this.fail(error);
    }
  }
}

/** Short texts that outlive a page, by name; other pages of its kind read them too. */
interface PageNotes {
  names(): string[];
  read(name: string): string | undefined;
  /** Without a text the note is removed. */
  write(name: string, text?: string): void;
}

/** Safe at once, even if the page crashes on its next line; VS Code's window writes the page's state later. */
export class StoredNotes implements PageNotes {
  constructor(private readonly storage: Storage) {}

  names(): string[] {
    return Object.keys(this.storage);
  }

  read(name: string): string | undefined {
    return this.storage.getItem(name) ?? undefined;
  }

  write(name: string, text?: string): void {
    if (text === undefined) this.storage.removeItem(name);
    else this.storage.setItem(name, text);
  }
}

/** For browsers without storage in frames: notes end with the page. */
export class PassingNotes implements PageNotes {
  private readonly notes = new Map<string, string>();

  names(): string[] {
    return [...this.notes.keys()];
  }

  read(name: string): string | undefined {
    return this.notes.get(name);
  }

  write(name: string, text?: string): void {
    if (text === undefined) this.notes.delete(name);
    else this.notes.set(name, text);
  }
}

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
