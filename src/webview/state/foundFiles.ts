import { signal } from '@preact/signals';
import { MAX_NAMES } from '../../protocol/chatFromPage.ts';
import type { FileView } from '../../protocol/views.ts';
import type { Host } from '../answersConnection.ts';

/** Beyond this number, all names are forgotten at once, and requested again where they are still visible. */
const MAX_KNOWN = 5_000;

/** Which names in answers are files of the workspace: the host is asked once per frame for all new ones. */
export class FileNames {
  /** By name; undefined where there is no such file. A missing name was not requested yet. */
  readonly known = signal<ReadonlyMap<string, FileView | undefined>>(new Map());
  private readonly asked = new Set<string>();
  private waiting: string[] = [];

  constructor(
    private readonly host: Host,
    private readonly fail: (error: unknown) => void,
  ) {}

  want(names: Iterable<string>): void {
    for (const name of names) {
      if (this.asked.has(name)) continue;
      if (this.asked.size >= MAX_KNOWN) this.forget();
      this.asked.add(name);
      if (this.waiting.length === 0) requestAnimationFrame(() => this.ask());
      this.waiting.push(name);
    }
  }

  /** Requests missing files again: one may have been made since. */
  askAgain(): void {
    const missing = [...this.known.value].filter(([, file]) => !file).map(([name]) => name);
    for (const name of missing) this.asked.delete(name);
    this.want(missing);
  }

  private ask(): void {
    const names = this.waiting;
    this.waiting = [];
    for (let at = 0; at < names.length; at += MAX_NAMES) {
      const asked = names.slice(at, at + MAX_NAMES);
      this.host
        .sendRequest({ type: 'findFiles', names: asked })
        .then(({ files }) => this.take(asked, files), this.fail);
    }
  }

  private take(names: readonly string[], files: readonly FileView[]): void {
    const found = new Map(files.map((file) => [file.name, file]));
    const known = new Map(this.known.value);
    for (const name of names) known.set(name, found.get(name));
    this.known.value = known;
  }

  private forget(): void {
    this.asked.clear();
    this.known.value = new Map();
  }
}
