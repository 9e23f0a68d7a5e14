import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { tryParseJson } from '../../../base/tryParseJson.ts';
import type {
  BranchFileChange,
  BranchFiles,
  BranchFilesRecord,
  ChangedLines,
  DiskUse,
  MakeBranchFiles,
  MergedText,
} from '../../branchFiles.ts';
import { BranchFilesError } from '../../branchFilesError.ts';
import type { Files } from '../../files.ts';
import type { LockOwner } from '../../platform.ts';
import type { CommittedFiles, NewGitBranch } from '../../committedFiles.ts';
import type { FileContent, FileLocation } from '../../workspaceFiles.ts';
import { mergeChanges } from '../../branchMerge.ts';
import { pathOf, uriOf } from '../fileUris.ts';
import {
  branchTree,
  changesIn,
  countLinesIn,
  hasChangesIn,
  programOfIndex,
  type BranchTree,
} from './branchTree.ts';
import { Claims } from './claims.ts';
import { diskUseOf } from './diskUse.ts';
import { git } from './gitCommand.ts';
import { makeTree } from './makeTree.ts';
import { committedIn, createGitBranch } from './commitFiles.ts';
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
  store: z.string().optional(),
  createdAt: z.number(),
  /** `making` and `discarding` are steps that end; what a program that was killed left in one is brought to an end. */
  state: z.enum(['making', 'open', 'discarding', 'discarded']),
  trees: z.array(branchTree),
  /** Of discarded ones. */
  kept: z.array(keptChange).optional(),
});
type StoredRecord = z.infer<typeof record>;

const MAX_FILE = 512_000_000;

const RECORD = 'record.json';
/** Below the folder of a record: the files and their repositories, and what is left of discarded ones. */
const TREES = 'files';
const KEPT = 'kept';
/** What the folders begin with that texts are merged in, before the process that does it. */
const MERGE = 'merge.';

export interface NodeBranchFilesOptions {
  readonly files: Pick<Files, 'read' | 'replace' | 'ensureFolder' | 'join'>;
  readonly owner: LockOwner;
  /** The path of the folder that has a folder for each record. */
  readonly folder: string;
  /** How large a file may be that the branch has changed, in bytes; left out: 512 MB. */
  readonly maxFile?: number | undefined;
}

export class NodeBranchFiles implements BranchFiles {
  private recovered: Promise<void> | undefined;
  private readonly claims: Claims;
  private readonly checks: Claims;

  constructor(private readonly options: NodeBranchFilesOptions) {
    this.claims = new Claims(options.folder, options.owner, 'busy');
    this.checks = new Claims(options.folder, options.owner, 'check');
  }

  async list(): Promise<readonly BranchFilesRecord[]> {
    await this.begin();
    return (await this.records()).flatMap((each) => publicRecord(each) ?? []);
  }

  async make(request: MakeBranchFiles): Promise<BranchFilesRecord> {
    const [remote] = request.folders.filter(({ uri }) => !uri.startsWith('file:'));
    if (remote) throw new BranchFilesError('not-local', remote.name);
    await this.begin();
    const id = request.id ?? crypto.randomUUID();
    return this.claims.during(id, async () => {
      // What a program that was killed has left of them is brought to an end first.
      if (request.id !== undefined) await this.endLeft(await this.find(id));
      const before = request.id === undefined ? undefined : await this.find(id);
      // Another window was faster.
      return before?.state === 'open' ? toPublic(before, 'open') : this.makeNow(id, request, before);
    });
  }

  private async makeNow(
    id: string,
    { chatId, store, folders, limits, signal }: MakeBranchFiles,
    before: StoredRecord | undefined,
  ): Promise<BranchFilesRecord> {
    const made: StoredRecord = {
      version: 1,
      id,
      chatId,
      ...(store === undefined ? {} : { store }),
      createdAt: Date.now(),
      state: 'making',
      trees: [],
      ...(before?.kept ? { kept: before.kept } : {}),
    };
    try {
      await this.write(made);
      const trees: BranchTree[] = [];
      for (const [index, { name, uri }] of folders.entries()) {
        const place = path.join(this.placeOf(id), TREES, String(index));
        await mkdir(place, { recursive: true });
        const source = { source: uri, name, root: pathOf(uri), place, limits, except: this.options.folder };
        trees.push(await makeTree({ ...source, signal }));
      }
      if (before) await this.changeAgain(trees, await this.changesOf(id));
      const { kept: _kept, ...open } = made;
      const whole: StoredRecord = { ...open, state: 'open', trees };
      await this.write(whole);
      await rm(path.join(this.placeOf(id), KEPT), { recursive: true, force: true });
      return toPublic(whole, 'open');
    } catch (error) {
      // What can't be removed now is found at the next start.
      await this.endLeft(made).catch(() => undefined);
      throw error;
    }
  }

  async changes(id: string): Promise<readonly BranchFileChange[]> {
    await this.begin();
    return this.changesOf(id);
  }

  private async changesOf(id: string): Promise<readonly BranchFileChange[]> {
    const { trees, kept } = await this.find(id);
    const { maxFile = MAX_FILE } = this.options;
    if (!kept) return (await Promise.all(trees.map((tree) => changesIn(tree, maxFile)))).flat();
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
    await this.begin();
    const { trees } = await this.find(id);
    const all = await Promise.all(trees.map((tree) => countLinesIn(tree)));
    const sum = (of: keyof ChangedLines): number => all.reduce((total, each) => total + each[of], 0);
    return { files: sum('files'), added: sum('added'), removed: sum('removed') };
  }

  async hasChanges(id: string): Promise<boolean> {
    await this.begin();
    const { trees, kept } = await this.find(id);
    if (kept) return kept.length > 0;
    for (const tree of trees) if (await hasChangesIn(tree)) return true;
    return false;
  }

  async measure(id: string): Promise<DiskUse> {
    await this.begin();
    return diskUseOf(this.placeOf(id));
  }

  async lost(): Promise<readonly string[]> {
    await this.begin();
    const lost: string[] = [];
    const claimed = new Set(await this.claims.claimed());
    for (const id of await this.ids()) {
      if (!claimed.has(id) && !(await this.recordOf(id))) lost.push(id);
    }
    return lost;
  }

  async discard(id: string): Promise<void> {
    await this.begin();
    await this.claims.during(id, async () => {
      const found = await this.find(id);
      if (found.state === 'open') await this.discardNow(found);
    });
  }

  private async discardNow(found: StoredRecord): Promise<void> {
    const folder = path.join(this.placeOf(found.id), KEPT);
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
    for (const { before, after, ...change } of await this.changesOf(found.id)) {
      kept.push({ ...change, before: await keep(before), after: await keep(after) });
    }
    const discarding: StoredRecord = { ...found, state: 'discarding', kept };
    await this.write(discarding);
    await this.endLeft(discarding);
  }

  async remove(id: string): Promise<void> {
    await this.begin();
    await this.claims.during(id, () => this.removeNow(id));
  }

  async keep<T>(id: string, work: () => Promise<T>): Promise<T> {
    await this.begin();
    return this.claims.during(id, work);
  }

  check(id: string, work: () => Promise<void>): Promise<void> {
    return this.checks.during(id, work);
  }

  isCheckedElsewhere(id: string): Promise<boolean> {
    return this.checks.isElsewhere(id);
  }

  async mergeText(base: Uint8Array, workspace: Uint8Array, branch: Uint8Array): Promise<MergedText> {
    await this.begin();
    await mkdir(this.options.folder, { recursive: true });
    const folder = await mkdtemp(path.join(this.options.folder, `${MERGE}${this.options.owner.pid}.`));
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

  committed(folder: string): Promise<CommittedFiles> {
    return committedIn(pathOf(folder));
  }

  createGitBranch(request: NewGitBranch): Promise<string> {
    return createGitBranch(request);
  }

  private placeOf(id: string): string {
    return path.join(this.options.folder, id);
  }

  private async find(id: string): Promise<StoredRecord> {
    const found = await this.recordOf(id);
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
    const found = await Promise.all((await this.ids()).map((id) => this.recordOf(id)));
    return found.flatMap((each) => each ?? []).sort((a, b) => a.createdAt - b.createdAt);
  }

  private async ids(): Promise<string[]> {
    const entries = await readdir(this.options.folder, { withFileTypes: true }).catch(() => []);
    return entries.flatMap((entry) => (entry.isDirectory() && !entry.name.includes('.') ? [entry.name] : []));
  }

  /** Undefined: there is none, or it can't be read. */
  private async recordOf(id: string): Promise<StoredRecord | undefined> {
    const bytes = await this.options.files.read(path.join(this.placeOf(id), RECORD));
    const read = bytes && record.safeParse(tryParseJson(new TextDecoder().decode(bytes))).data;
    return read?.id === id ? read : undefined;
  }

  /** Before anything else: what is begun later is not left over. */
  private begin(): Promise<void> {
    return (this.recovered ??= this.recover().catch((error: unknown) => {
      this.recovered = undefined;
      throw error;
    }));
  }

  /** Ends what programs that are gone have begun. */
  private async recover(): Promise<void> {
    await this.options.owner.looked?.();
    await this.recoverMerges();
    for (const id of new Set([...(await this.ids()), ...(await this.claims.claimed())])) {
      try {
        await this.claims.during(id, () => this.recoverOne(id));
      } catch (error) {
        // Another program is at it.
        if (!(error instanceof BranchFilesError && error.code === 'busy')) throw error;
      }
    }
  }

  /** Texts that it was merging. */
  private async recoverMerges(): Promise<void> {
    const { folder } = this.options;
    for (const name of await readdir(folder).catch((): string[] => [])) {
      const [prefix, pid] = name.split('.');
      if (`${prefix}.` !== MERGE || !this.isGone(Number(pid))) continue;
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }

  /** Of a process that is to remove something: it never will. */
  private isGone(pid: number): boolean {
    const { owner } = this.options;
    return pid === owner.pid || !owner.isAlive(pid);
  }

  private async recoverOne(id: string): Promise<void> {
    const inside = await readdir(this.placeOf(id)).catch((): undefined => undefined);
    if (!inside) return;
    if (!inside.includes(RECORD)) {
      // It was killed before its first record, or in the middle of removing the last.
      if (!inside.includes(TREES)) await this.removeNow(id);
      return;
    }
    const found = await this.recordOf(id);
    if (!found) return;
    await this.endLeft(found);
    if (found.state === 'open') await rm(path.join(this.placeOf(id), KEPT), { recursive: true, force: true });
    const isLeft = (name: string): boolean => {
      const program = programOfIndex(name);
      return program !== undefined && this.isGone(program);
    };
    await removeIn(
      this.placeOf(id),
      inside.filter((name) => name.startsWith(`${RECORD}.`)),
    );
    for (const { gitDir } of found.trees) {
      await removeIn(gitDir, (await readdir(gitDir).catch((): string[] => [])).filter(isLeft));
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
    for (const change of changes) {
      const merged = await mergeChanges([change], {
        contentAt: (file) => contentAt(placeOf(file)),
        mergeText: (...texts) => this.mergeText(...texts),
      });
      for (const file of merged) {
        // Where there is no way to have both, the branch has what it had: that of the workspace is there.
        const result = file.result === undefined ? change.after : file.result;
        await putContent(placeOf(file), result);
      }
    }
  }

  private async endLeft(left: StoredRecord): Promise<void> {
    const { id, state, kept } = left;
    if (state !== 'making' && state !== 'discarding') return;
    await rm(path.join(this.placeOf(id), TREES), { recursive: true, force: true });
    if (kept) await this.write({ ...left, state: 'discarded', trees: [] });
    else await this.removeNow(id);
  }

  private async removeNow(id: string): Promise<void> {
    // The record goes after them: what is left in between is still found.
    await rm(path.join(this.placeOf(id), TREES), { recursive: true, force: true });
    await rm(this.placeOf(id), { recursive: true, force: true });
  }
}

async function removeIn(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(path.join(folder, name), { force: true });
}

function publicRecord(stored: StoredRecord): BranchFilesRecord | undefined {
  const { state } = stored;
  return state === 'open' || state === 'discarded' ? toPublic(stored, state) : undefined;
}

function toPublic(
  { id, chatId, store, createdAt, trees }: StoredRecord,
  state: BranchFilesRecord['state'],
): BranchFilesRecord {
  const folders = trees.map(({ name, source, folder }) => ({ name, source, uri: uriOf(folder) }));
  return {
    id,
    chatId,
    ...(store === undefined ? {} : { store }),
    createdAt,
    state,
    folders,
    empty: trees.flatMap(({ empty }) => empty),
    missing: trees.flatMap(({ missing }) => missing),
  };
}
