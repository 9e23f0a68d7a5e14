import { z } from 'zod';
import type { PageNotes } from './pageNotes.ts';

/** So many pages in a row that did not survive a chat, and the next one shows it as plain text. */
const DEATHS = 2;

/** For so many chats it is kept how many pages died of them. */
const MAX_CHATS = 100;

/** What a page draws is noted under its id. */
const DRAWING = 'offshoot.drawing.';
const DIED = 'offshoot.died';

/** By chat: how many pages in a row did not survive it. */
const deaths = z.record(z.string(), z.number().int().positive());

/**
 * Notes which chat this page begins to draw and whether it survives that, so that nothing that is stored can lock the
 * user out: a chat of which two pages in a row died is shown as plain text. A page that hangs or crashes leaves its note
 * behind; one that is reloaded, hidden or closed takes it away ({@link leave}), however far it had got.
 */
export class RenderingGuard {
  private chatId: string | undefined;
  private readonly died: Map<string, number>;

  /**
   * @param page its id, which no other page has
   * @param isAlive whether another page, by its id, is still there: it may be drawing in another window
   * @param fail is given what the notes could not take; the page continues without
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

  /** Whether a chat has to be drawn as plain text. */
  isPlain(chatId: string): boolean {
    return (this.died.get(chatId) ?? 0) >= DEATHS;
  }

  /** The page is about to draw something of a chat. */
  begin(chatId: string): void {
    if (this.chatId === chatId) return;
    this.chatId = chatId;
    this.write(DRAWING + this.page, chatId);
  }

  /** All that was begun is drawn, and the page answers. */
  end(): void {
    const { chatId } = this;
    if (chatId === undefined) return;
    this.leave();
    if (this.died.delete(chatId)) this.keep();
  }

  /** The page ends in an orderly way: whatever it was drawing did not kill it. */
  leave(): void {
    if (this.chatId === undefined) return;
    this.chatId = undefined;
    this.write(DRAWING + this.page);
  }

  /** A chat is to be drawn in full again; if the page dies of it once more, it is plain again. */
  renderAgain(chatId: string): void {
    if (!this.isPlain(chatId)) return;
    this.died.set(chatId, DEATHS - 1);
    this.keep();
  }

  private count(chatId: string): void {
    const before = this.died.get(chatId) ?? 0;
    // The order of a map is that of insertion: what is older goes first.
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
