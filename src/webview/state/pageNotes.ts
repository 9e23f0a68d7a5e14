/** Short texts that outlive a page, by name; other pages of its kind read them too. */
export interface PageNotes {
  names(): string[];
  read(name: string): string | undefined;
  /** Without a text the note is taken away. */
  write(name: string, text?: string): void;
}

/**
 * Notes in the browser's own storage: what is written there is safe at once, even when the page never gets to its next
 * line. VS Code's state of a page is not: the window writes it later, and may be dead by then.
 */
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

/** Where the browser keeps nothing for a page in a frame: what is noted ends with the page. */
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
