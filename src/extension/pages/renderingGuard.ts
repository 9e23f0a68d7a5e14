import { z } from 'zod';

/** Where the guard keeps what it knows: written before a page gets anything that it may not survive. */
export interface GuardStorage {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** So many pages in a row that did not survive a chat, and the next one shows it as plain text. */
const DEATHS = 2;

/**
 * A page that lives says within this time that it has drawn. One that is followed by another sooner was reloaded: nobody
 * reacts to a dead window that fast. In milliseconds.
 */
const REACTION_MS = 1_500;

/** A page that has not answered for longer than this when it is hidden did not end in an orderly way, in milliseconds. */
const SILENT_MS = 5_000;

/** Of so many chats it is kept how often pages died of them. */
const MAX_CHATS = 100;

const stored = z.object({
  /** By the page: the chat that it is drawing, and since when. */
  drawing: z.record(z.string(), z.object({ chatId: z.string(), since: z.number() })),
  /** By the chat: how many pages in a row did not survive it. */
  deaths: z.record(z.string(), z.number().int().positive()),
});

/**
 * Notes which chat a page begins to draw and whether it survives that, so that nothing that is stored can lock the user
 * out: a chat of which two pages in a row died is shown as plain text. Pages take the whole window with them when they
 * die, so what has begun is noted before, and the next page finds it.
 */
export class RenderingGuard {
  private drawing = new Map<string, { readonly chatId: string; readonly since: number }>();
  private deaths = new Map<string, number>();
  private loading: Promise<void> | undefined;
  private writing = Promise.resolve();

  /**
   * @param fail is told when the storage can't be read or written; chats are shown all the same
   * @param now in milliseconds
   */
  constructor(
    private readonly storage: GuardStorage,
    private readonly fail: (error: unknown) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** A page begins anew: if the one before it was drawing a chat, it died of it. */
  async begins(page: string): Promise<void> {
    await this.load();
    const before = this.drawing.get(page);
    if (!before) return;
    this.drawing.delete(page);
    if (this.now() - before.since <= REACTION_MS) {
      await this.save();
      return;
    }
    const count = (this.deaths.get(before.chatId) ?? 0) + 1;
    // The order of a map is that of insertion: what is older goes first.
    this.deaths.delete(before.chatId);
    this.deaths.set(before.chatId, count);
    for (const chatId of this.deaths.keys()) {
      if (this.deaths.size <= MAX_CHATS) break;
      this.deaths.delete(chatId);
    }
    await this.save();
  }

  /**
   * A page is about to draw something of a chat; once this is done, it is noted.
   * @returns whether it has to be drawn as plain text
   */
  async draws(page: string, chatId: string): Promise<boolean> {
    await this.load();
    if (this.isPlain(chatId)) return true;
    if (this.drawing.get(page)?.chatId !== chatId) {
      this.drawing.set(page, { chatId, since: this.now() });
      await this.save();
    }
    return false;
  }

  /** A page has drawn all it was told of a chat, and answers. */
  async drawn(page: string, chatId: string): Promise<void> {
    await this.load();
    if (this.drawing.get(page)?.chatId !== chatId) return;
    this.drawing.delete(page);
    this.deaths.delete(chatId);
    await this.save();
  }

  /** A page is hidden or closed, while the window lives on. */
  async ends(page: string): Promise<void> {
    await this.load();
    const before = this.drawing.get(page);
    if (!before || this.now() - before.since > SILENT_MS) return;
    this.drawing.delete(page);
    await this.save();
  }

  /** A chat is to be drawn in full again; if the page dies of it once more, it is plain again. */
  async renderAgain(chatId: string): Promise<void> {
    await this.load();
    if (this.isPlain(chatId)) this.deaths.set(chatId, DEATHS - 1);
    await this.save();
  }

  private isPlain(chatId: string): boolean {
    return (this.deaths.get(chatId) ?? 0) >= DEATHS;
  }

  private load(): Promise<void> {
    this.loading ??= this.read().catch(this.fail);
    return this.loading;
  }

  private async read(): Promise<void> {
    const text = await this.storage.read();
    if (text === undefined) return;
    const { drawing, deaths } = stored.parse(JSON.parse(text));
    this.drawing = new Map(Object.entries(drawing));
    this.deaths = new Map(Object.entries(deaths));
  }

  /** One after the other: an older state must not come after a newer one. */
  private save(): Promise<void> {
    const text = JSON.stringify({
      drawing: Object.fromEntries(this.drawing),
      deaths: Object.fromEntries(this.deaths),
    } satisfies z.infer<typeof stored>);
    this.writing = this.writing.then(() => this.storage.write(text)).catch(this.fail);
    return this.writing;
  }
}
