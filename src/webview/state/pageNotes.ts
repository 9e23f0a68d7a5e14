/** Short texts that outlive a page, by name; other pages of its kind read them too. */
export interface PageNotes {
  names(): string[];
  read(name: string): string | undefined;
  /** Without a text the note is removed. */
  write(name: string, text?: string): void;
}

/**
 * Notes in the browser's own storage: they are safe at once, even if the page crashes on its next line. VS Code's
 * page state is not: the window writes it later, and may have crashed by then.
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
