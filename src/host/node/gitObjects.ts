import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Disposable } from '../../base/disposable.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { startGit } from './branchFiles/gitCommand.ts';

/** How long one of them reads at most, in milliseconds. */
const READING_MS = 60_000;

/** Reads many objects of a repository with one process, which is started with the first. */
export class GitObjects implements Disposable {
  private readonly queue = new Sequencer();
  private readonly ended = new AbortController();
  private started: Output | undefined;

  constructor(private readonly repository: string) {}

  /** Undefined: it is not here, or no file. */
  read(object: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.queue.run(async () => {
      this.ended.signal.throwIfAborted();
      const output = (this.started ??= this.start());
      output.ask(object);
      const [, type, size] = /^\S+ (\w+) (\d+)$/u.exec(await output.line()) ?? [];
      if (size === undefined) return undefined;
      const bytes = await output.take(Number(size) + 1);
      return type === 'blob' ? bytes.subarray(0, -1) : undefined;
    });
  }

  dispose(): void {
    this.ended.abort();
  }

  private start(): Output {
    const signal = AbortSignal.any([this.ended.signal, AbortSignal.timeout(READING_MS)]);
    return new Output(startGit(['cat-file', '--batch'], { cwd: this.repository, signal }));
  }
}

/** What the process writes. */
class Output {
  private readonly pieces: AsyncIterator<Buffer<ArrayBuffer>, undefined>;
  private rest = Buffer.alloc(0);

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    this.pieces = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer<ArrayBuffer>, undefined>;
    // Its output ends then.
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    child.stderr.resume();
  }

  ask(object: string): void {
    this.child.stdin.write(`${object}\n`);
  }

  async line(): Promise<string> {
    let end = this.rest.indexOf('\n');
    for (; end < 0; end = this.rest.indexOf('\n')) this.rest = Buffer.concat([this.rest, await this.next()]);
    const line = this.rest.toString('utf8', 0, end);
    this.rest = this.rest.subarray(end + 1);
    return line;
  }

  async take(length: number): Promise<Uint8Array<ArrayBuffer>> {
    const pieces = [this.rest];
    let found = this.rest.length;
    while (found < length) {
      const piece = await this.next();
      pieces.push(piece);
      found += piece.length;
    }
    const all = Buffer.concat(pieces);
    this.rest = all.subarray(length);
    return Uint8Array.from(all.subarray(0, length));
  }

  private async next(): Promise<Buffer<ArrayBuffer>> {
    const { value } = await this.pieces.next();
    if (!value) throw new Error('git ended before it had read everything.');
    return value;
  }
}
