import { z } from 'zod';
import type { PageNotes } from './pageNotes.ts';

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

  /** Whether a chat must be drawn as plain text. */
  isPlain(chatId: string): boolean {
    return (this.died.get(chatId) ?? 0) >= DEATHS;
  }

  /** The page is about to draw content of a chat. */
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
