import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { GitHistory } from '../../src/host/node/gitHistory.ts';
import type { FileLocation } from '../../src/host/workspaceFiles.ts';
import { LineOrigins } from '../../src/lineOrigins/lineOrigins.ts';
import { utf8TextOf } from '../../src/lineOrigins/utf8Text.ts';
import { FilesWorld } from './filesWorld.ts';

const run = promisify(execFile);

/** Files that runs and a user change, in a repository of git that nobody has set up, where each thing takes a second. */
export class CommittedWorld implements AsyncDisposable {
  readonly errors: unknown[] = [];
  private readonly source = {
    open: () => Promise.resolve(new GitHistory()),
    onError: () => undefined,
  };
  private readonly told: LineOrigins;
  private readonly untold: LineOrigins;

  /** @param top the folder of the repository, below that of the workspace or above it */
  private constructor(
    readonly files: FilesWorld,
    readonly top: string,
  ) {
    const history = new GitHistory();
    const onError = (error: unknown): void => void this.errors.push(error);
    this.told = new LineOrigins(files.store, 'me', utf8TextOf, {
      open: () => Promise.resolve(history),
      onError,
    });
    this.untold = new LineOrigins(files.store, 'me', utf8TextOf);
  }

  static async make(files?: FilesWorld, top?: string): Promise<CommittedWorld> {
    const world = files ?? (await FilesWorld.make());
    const made = new CommittedWorld(world, top ?? world.workspace.folder);
    if (top === undefined) await made.git('init', '--quiet', '--initial-branch=main');
    return made;
  }

  at(file: string): string {
    return path.join(this.files.workspace.folder, file);
  }

  /** What the user saves. */
  async write(file: string, text: string): Promise<void> {
    await writeFile(this.at(file), text);
  }

  read(file: string): Promise<string> {
    return readFile(this.at(file), 'utf8');
  }

  async replace(file: string, from: string, to: string): Promise<void> {
    const text = await this.read(file);
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    await this.write(file, text.replace(from, to));
  }

  /** @returns the id of the answer, whose step it is */
  async step(changes: Readonly<Record<string, string | null>>): Promise<string> {
    this.tick();
    return this.files.turn(changes);
  }

  /** All that there is. */
  async commit(...options: string[]): Promise<void> {
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '--message=m', ...options);
  }

  /** Runs git as nobody has set it up, a second after what was before. */
  async git(...args: string[]): Promise<string> {
    const date = `@${this.tick()} +0000`;
    const env = {
      PATH: process.env['PATH'],
      HOME: this.files.workspace.outside,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CEILING_DIRECTORIES: path.dirname(this.top),
      ...Object.fromEntries(
        ['AUTHOR', 'COMMITTER'].flatMap((role) => [
          [`GIT_${role}_NAME`, 'a'],
          [`GIT_${role}_EMAIL`, 'a@b.test'],
          [`GIT_${role}_DATE`, date],
        ]),
      ),
    };
    const options = ['-c', 'protocol.file.allow=always'];
    return (await run('git', [...options, ...args], { cwd: this.top, env })).stdout.trim();
  }

  /** By line, the messages of the steps that it is from, the last first, and whether it was changed since. */
  lines(file: string, text?: string): Promise<Record<number, string>> {
    return this.sameLines(file, text);
  }

  /** The same without git. */
  linesWithoutGit(file: string, text?: string): Promise<Record<number, string>> {
    return this.linesBy(this.untold, file, text);
  }

  location(file: string): FileLocation {
    return this.files.workspace.at(file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.told.dispose();
    this.untold.dispose();
    await this.files[Symbol.asyncDispose]();
  }

  /** Whether it was asked before or not. */
  private async sameLines(file: string, text: string | undefined): Promise<Record<number, string>> {
    const found = await this.linesBy(this.told, file, text);
    const asked = new LineOrigins(this.files.store, 'me', utf8TextOf, this.source);
    assert.deepEqual(await this.linesBy(asked, file, text), found);
    asked.dispose();
    return found;
  }

  private async linesBy(origins: LineOrigins, file: string, text?: string): Promise<Record<number, string>> {
    origins.forget();
    const { lines } = await origins.of(this.location(file), text ?? (await this.read(file)));
    return Object.fromEntries(
      lines.map(({ line, edit, earlier, isChangedSince }) => [
        line,
        [edit, ...earlier].map(({ messageId }) => messageId).join(' ') + (isChangedSince ? ' changed' : ''),
      ]),
    );
  }

  /** @returns the time in seconds since 1970, at which nothing else happens */
  private tick(): number {
    const seconds = Math.ceil(this.files.now() / 1_000) + 1;
    this.files.waitUntil((seconds + 1) * 1_000);
    return seconds;
  }
}
