import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type {
  BranchFileChange,
  BranchFiles,
  BranchFilesRecord,
  ChangedLines,
  MakeBranchFiles,
  MergedText,
} from '../../branchFiles.ts';
import { BranchFilesError } from '../../branchFilesError.ts';
import type { Files } from '../../files.ts';
import type { LockOwner } from '../../platform.ts';
import type { FileContent, FileLocation } from '../../workspaceFiles.ts';
import { mergeChanges } from '../../branchMerge.ts';
import { pathOf, uriOf } from '../fileUris.ts';
import {
  branchTree,
  changesIn,
  countLinesIn,
  createGitBranchFrom,
  makeTree,
  type BranchTree,
} from './branchTree.ts';
import { git } from './gitCommand.ts';
import { contentAt, putContent } from './treeContent.ts';

const keptContent = z.object({
  /** The name of the file that holds it. */
  file: z.string(),
  mode: z.number().optional(),
  kind: z.enum(['link', 'folder']).optional(),
});

const keptChange = z.object({
  folder: z.string(),
  path: z.string(),
  oldPath: z.string().optional(),
  before: keptContent.nullable(),
  after: keptContent.nullable(),
});

const record = z.object({
  version: z.literal(1),
  id: z.string(),
  chatId: z.string(),
  createdAt: z.number(),
  /** `making` and `discarding` are steps that end; what a program that was killed left in one is brought to an end. */
  state: z.enum(['making', 'open', 'discarding', 'discarded']),
  /** The process that is at it. */
  owner: z.object({ pid: z.number(), host: z.string() }),
  trees: z.array(branchTree),
  /** Of discarded ones. */
  kept: z.array(keptChange).optional(),
});
type StoredRecord = z.infer<typeof record>;

const RECORD = 'record.json';
/** Below the folder of a record: the files and their repositories, and what is left of discarded ones. */
const TREES = 'files';
const KEPT = 'kept';

export interface NodeBranchFilesOptions {
  readonly files: Pick<Files, 'read' | 'replace' | 'ensureFolder' | 'join'>;
  readonly owner: LockOwner;
  /** The path of the folder that has a folder for each record. */
  readonly folder: string;
}

export class NodeBranchFiles implements BranchFiles {
  private recovered: Promise<void> | undefined;

  constructor(private readonly options: NodeBranchFilesOptions) {}

  async list(): Promise<readonly BranchFilesRecord[]> {
    await (this.recovered ??= this.recover());
    return (await this.records()).flatMap((each) => publicRecord(each) ?? []);
  }

  async make({ id, chatId, folders, limits, signal }: MakeBranchFiles): Promise<BranchFilesRecord> {
    const [remote] = folders.filter(({ uri }) => !uri.startsWith('file:'));
    if (remote) throw new BranchFilesError('not-local', remote.name);
    const before = id === undefined ? undefined : await this.find(id);
    const made: StoredRecord = {
      version: 1,
      id: before?.id ?? crypto.randomUUID(),
      chatId,
      createdAt: before?.createdAt ?? Date.now(),
      state: 'making',
      owner: this.owner,
      trees: [],
      ...(before?.kept ? { kept: before.kept } : {}),
    };
    await this.write(made);
    try {
      const trees: BranchTree[] = [];
      for (const [index, { name, uri }] of folders.entries()) {
        const place = path.join(this.placeOf(made.id), TREES, String(index));
        await mkdir(place, { recursive: true });
        const source = { source: uri, name, root: pathOf(uri), place, limits, except: this.options.folder };
        trees.push(await makeTree({ ...source, signal }));
      }
      if (before) await this.changeAgain(trees, await this.changes(before.id));
      const { kept: _kept, ...open } = made;
      const whole: StoredRecord = { ...open, state: 'open', trees };
      await this.write(whole);
      await rm(path.join(this.placeOf(made.id), KEPT), { recursive: true, force: true });
      return toPublic(whole, 'open');
    } catch (error) {
      await this.endLeft(made);
      throw error;
    }
  }

  async changes(id: string): Promise<readonly BranchFileChange[]> {
    const { trees, kept } = await this.find(id);
    if (!kept) return (await Promise.all(trees.map((tree) => changesIn(tree)))).flat();
    const read = async (content: z.infer<typeof keptContent> | null): Promise<FileContent | null> =>
      content && {
        bytes: Uint8Array.from(await readFile(path.join(this.placeOf(id), KEPT, content.file))),
        mode: content.mode,
        ...(content.kind === undefined ? {} : { kind: content.kind }),
      };
    const changes: BranchFileChange[] = [];
    for (const { before, after, ...change } of kept) {
      changes.push({ ...change, before: await read(before), after: await read(after) });
    }
    return changes;
  }

  async countLines(id: string): Promise<ChangedLines> {
    const { trees } = await this.find(id);
    const all = await Promise.all(trees.map((tree) => countLinesIn(tree)));
    const sum = (of: keyof ChangedLines): number => all.reduce((total, each) => total + each[of], 0);
    return { files: sum('files'), added: sum('added'), removed: sum('removed') };
  }

  async discard(id: string): Promise<void> {
    const found = await this.find(id);
    if (found.state !== 'open') return;
    const folder = path.join(this.placeOf(id), KEPT);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    let files = 0;
    const keep = async (content: FileContent | null): Promise<z.infer<typeof keptContent> | null> => {
      if (!content) return null;
      const { bytes, mode, kind } = content;
      files += 1;
      await writeFile(path.join(folder, String(files)), bytes, { flush: true });
      return {
        file: String(files),
        ...(mode === undefined ? {} : { mode }),
        ...(kind === undefined ? {} : { kind }),
      };
    };
    const kept: z.infer<typeof keptChange>[] = [];
    for (const { before, after, ...change } of await this.changes(id)) {
      kept.push({ ...change, before: await keep(before), after: await keep(after) });
    }
    const discarding: StoredRecord = { ...found, state: 'discarding', owner: this.owner, kept };
    await this.write(discarding);
    await this.endLeft(discarding);
  }

  async remove(id: string): Promise<void> {
    // The record goes last: what is left in between is still found.
    await rm(path.join(this.placeOf(id), TREES), { recursive: true, force: true });
    await rm(this.placeOf(id), { recursive: true, force: true });
  }

  async mergeText(base: Uint8Array, workspace: Uint8Array, branch: Uint8Array): Promise<MergedText> {
    const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-merge-'));
    try {
      const texts = { workspace, base, branch };
      for (const [name, bytes] of Object.entries(texts)) await writeFile(path.join(folder, name), bytes);
      const names = Object.keys(texts);
      const labels = names.flatMap((name) => ['-L', name]);
      const merged = await git(['merge-file', '-p', ...labels, ...names], {
        cwd: folder,
        // It ends with the number of conflicts.
        isExpected: (status) => status > 0 && status < 128,
      });
      return { bytes: merged.bytes, conflicts: merged.status };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async createGitBranch(id: string, name: string, message: string): Promise<string> {
    const [tree] = (await this.find(id)).trees;
    if (!tree) throw new BranchFilesError('not-found');
    return createGitBranchFrom(tree, name, message);
  }

  private get owner(): StoredRecord['owner'] {
    const { pid, host } = this.options.owner;
    return { pid, host };
  }

  private placeOf(id: string): string {
    return path.join(this.options.folder, id);
  }

  private async find(id: string): Promise<StoredRecord> {
    const found = (await this.records()).find((each) => each.id === id);
    if (!found) throw new BranchFilesError('not-found');
    return found;
  }

  private async write(value: StoredRecord): Promise<void> {
    const { files } = this.options;
    await mkdir(this.placeOf(value.id), { recursive: true });
    await files.replace(
      files.join(this.placeOf(value.id), RECORD),
      new TextEncoder().encode(JSON.stringify(value)),
    );
  }

  private async records(): Promise<StoredRecord[]> {
    const names = await readdir(this.options.folder).catch((): string[] => []);
    const found: StoredRecord[] = [];
    for (const name of names.sort()) {
      const bytes = await this.options.files.read(path.join(this.options.folder, name, RECORD));
      const read = bytes && record.safeParse(parsed(new TextDecoder().decode(bytes))).data;
      if (read?.id === name) found.push(read);
    }
    return found.sort((a, b) => a.createdAt - b.createdAt);
  }

  /** Ends what programs that are gone have begun. */
  private async recover(): Promise<void> {
    const { owner, folder } = this.options;
    await owner.looked?.();
    for (const each of await this.records()) {
      const { pid, host } = each.owner;
      const isAtWork = host !== owner.host || (pid !== owner.pid && owner.isAlive(pid));
      if (!isAtWork) await this.endLeft(each);
    }
    // One that was killed before its first record, or in the middle of removing the last.
    for (const name of await readdir(folder).catch((): string[] => [])) {
      const inside = await readdir(path.join(folder, name)).catch((): undefined => undefined);
      const isEmpty = inside?.every((file) => file !== RECORD && file !== TREES && file !== KEPT) === true;
      if (isEmpty && !(await isYoung(path.join(folder, name)))) {
        await rm(path.join(folder, name), { recursive: true, force: true });
      }
    }
  }

  /** Where the workspace has other changes in the same places, both are in the file, with marks. */
  private async changeAgain(
    trees: readonly BranchTree[],
    changes: readonly BranchFileChange[],
  ): Promise<void> {
    const placeOf = ({ folder, path: name }: FileLocation): string => {
      const tree = trees.find(({ source }) => source === folder);
      if (!tree) throw new BranchFilesError('not-found');
      return path.join(tree.folder, name);
    };
    const merged = await mergeChanges(changes, {
      contentAt: (file) => contentAt(placeOf(file)),
      mergeText: (...texts) => this.mergeText(...texts),
    });
    for (const file of merged) if (file.result !== undefined) await putContent(placeOf(file), file.result);
  }

  private async endLeft(left: StoredRecord): Promise<void> {
    const { id, state, kept } = left;
    if (state !== 'making' && state !== 'discarding') return;
    await rm(path.join(this.placeOf(id), TREES), { recursive: true, force: true });
    if (kept) await this.write({ ...left, state: 'discarded', trees: [] });
    else await this.remove(id);
  }
}

/** How long a folder without a record may belong to a program that is about to write it, in milliseconds. */
const YOUNG_MS = 60_000;

async function isYoung(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < YOUNG_MS;
}

function publicRecord(stored: StoredRecord): BranchFilesRecord | undefined {
  const { state } = stored;
  return state === 'open' || state === 'discarded' ? toPublic(stored, state) : undefined;
}

function toPublic(
  { id, chatId, createdAt, trees }: StoredRecord,
  state: BranchFilesRecord['state'],
): BranchFilesRecord {
  const folders = trees.map(({ name, source, folder }) => ({ name, source, uri: uriOf(folder) }));
  return { id, chatId, createdAt, state, folders, empty: trees.flatMap(({ empty }) => empty) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The folder stays as it is: it may hold work.
    return undefined;
  }
}
