import type { Files, LogFile } from '../files.ts';

/** Files that live as long as this object. */
export class MemoryFiles implements Files {
  private readonly files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; changedAt: number }>();

  read(path: string, { start = 0 }: { start?: number } = {}): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const file = this.files.get(path);
    return Promise.resolve(file && file.bytes.byteLength >= start ? file.bytes.slice(start) : undefined);
  }
  write(path: string, parts: readonly Uint8Array[]): Promise<void> {
    const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.byteLength;
    }
    this.files.set(path, { bytes, changedAt: Date.now() });
    return Promise.resolve();
  }
  replace(path: string, bytes: Uint8Array): Promise<void> {
    return this.write(path, [bytes]);
  }
  openLog(): Promise<LogFile> {
    return Promise.reject(new Error('There are no logs in memory.'));
  }
  move(from: string, to: string): Promise<void> {
    const file = this.files.get(from);
    if (file) this.files.set(to, file);
    this.files.delete(from);
    return Promise.resolve();
  }
  remove(path: string): Promise<void> {
    this.files.delete(path);
    return Promise.resolve();
  }
  async createExclusively(path: string, text: string): Promise<boolean> {
    if (this.files.has(path)) return false;
    await this.replace(path, new TextEncoder().encode(text));
    return true;
  }
  touch(): Promise<void> {
    return Promise.resolve();
  }
  stamp(path: string): Promise<string | undefined> {
    const file = this.files.get(path);
    return Promise.resolve(file && `${file.changedAt} ${file.bytes.byteLength}`);
  }
  list(folder: string): Promise<{ name: string; size: number; age: number }[]> {
    const prefix = `${folder}/`;
    const found = Array.from(this.files).flatMap(([path, { bytes, changedAt }]) => {
      const name = path.slice(prefix.length);
      if (!path.startsWith(prefix) || name.includes('/')) return [];
      return [{ name, size: bytes.byteLength, age: Date.now() - changedAt }];
    });
    return Promise.resolve(found);
  }
  ensureFolder(): Promise<void> {
    return Promise.resolve();
  }
  protect(): Promise<void> {
    return Promise.resolve();
  }
  join(folder: string, name: string): string {
    return `${folder}/${name}`;
  }
}
