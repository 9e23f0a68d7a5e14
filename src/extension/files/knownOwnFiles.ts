import * as vscode from 'vscode';
import { z } from 'zod';
import { mayHaveOwnFiles, type OwnFilesOfRun } from '../../agent/run/ownFilesOfRun.ts';
import type { CommandTerminals } from '../../agent/tools/commands/commandTools.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { readFileRecords, type BranchFilesKept } from '../../files/fileRecords.ts';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import {
  BRANCH_FILES,
  type BranchFiles,
  type BranchFilesRecord,
  type MakeBranchFiles,
} from '../../host/branchFiles.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { FileLocation, OpenedFolder } from '../../host/workspaceFiles.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import { effortsOf } from '../../models/modelProviders.ts';
import type { Settings } from '../manifest/settings.ts';
import { logFailure } from '../ui/failures.ts';
import { StoredRacers } from './storedRacers.ts';
import { FilesAtPoints, type Point } from './filesAtPoints.ts';
import { workspaceFolders } from './openFolders.ts';
import { watchOwnFiles } from './watchOwnFiles.ts';
import { OwnFileDecorations } from './ownFileDecorations.ts';
import {
  describeElsewhere,
  OwnFilesProgress,
  type DescribedFiles,
  type OwnFilesProgressOptions,
} from './ownFilesProgress.ts';

export interface KnownOwnFilesOptions {
  readonly host: Pick<Host, 'branchFiles' | 'files' | 'guardedFiles' | 'pathOf'>;
  /** The extension's own storage folder. */
  readonly folder: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly settings: Settings;
  readonly store: ReadonlyStore;
  /** The address of a shared one; undefined: it is on this machine. */
  readonly storeAddress: string | undefined;
  /** The name of a branch, as the user knows it. */
  readonly labelOf: (chatId: string, branch: string) => Promise<string>;
  /** Where checks run. */
  readonly terminals: () => Promise<CommandTerminals>;
  /** What checks and the setup command are run behind. */
  readonly wallFor: OwnFilesProgressOptions['wallFor'];
  readonly hasSandbox: () => Promise<boolean>;
  readonly onDidChange: () => void;
}

/** The setting; a value of the wrong kind counts as not set. */
const branchFilesSetting = z.object({
  /** How many such branches may work at a time. */
  atOnce: z.number().int().min(1).max(50).catch(4),
  /** Files and folders that git ignores, by name: linked to those of the workspace, or copied. */
  link: z.array(z.string()).catch(['node_modules', '.venv', 'venv']),
  copy: z.array(z.string()).catch(['.env', '.env.local']),
  /** How many files are copied that git does not have, and how much of them. */
  maxFiles: z.number().int().min(0).catch(50_000),
  maxMegabytes: z.number().min(0).catch(1_000),
  /** The most that the check of a branch may take. */
  checkMinutes: z.number().positive().max(1_440).catch(10),
  /** A command that makes new files ready to work with, such as `npm ci`; empty: none. */
  setup: z.string().trim().catch(''),
  /** Beyond them, files without changes are discarded, and the others offered to be. */
  maxTotalMegabytes: z.number().min(0).catch(10_000),
  maxAgeDays: z.number().min(1).catch(30),
});

/** What files of branches may take, and how old they may be, until some are discarded. */
export interface OwnFilesBudget {
  readonly maxBytes: number;
  /** In milliseconds. */
  readonly maxAge: number;
}

const DAY = 24 * 60 * 60 * 1_000;

/**
 * Which branches have files of their own. The conversation's state says it at each point, so that what forks from a
 * branch works with the same files; the records of the host say which of them are on this machine.
 */
export class KnownOwnFiles implements Disposable {
  readonly racers: StoredRacers;
  readonly progress: OwnFilesProgress;
  private readonly disposables = new DisposableStore();
  readonly decorations = this.disposables.add(new OwnFileDecorations((uri) => this.labelAt(uri)));
  private readonly points: FilesAtPoints;
  private isWatched = false;
  private records: readonly BranchFilesRecord[] = [];
  /** Files that were looked for without being here. */
  private readonly notHere = new Set<string>();

  constructor(private readonly options: KnownOwnFilesOptions) {
    const { host, folder, store } = options;
    this.points = new FilesAtPoints(store);
    this.racers = new StoredRacers(host, folder.toString());
    this.progress = this.disposables.add(
      new OwnFilesProgress({
        ...options,
        racers: this.racers,
        host: () => this.host(),
        recordOf: (id) => workable(this.records.find((record) => record.id === id)),
        checkMs: () => this.wanted().checkMinutes * 60_000,
      }),
    );
  }

  /** How many branches may work at a time. */
  get atOnce(): number {
    return this.wanted().atOnce;
  }

  /** Those of this machine. @throws OffshootError in a browser */
  async host(): Promise<BranchFiles> {
    const { branchFiles } = this.options.host;
    if (branchFiles) return branchFiles();
    throw new OffshootError(
      'no-branch-files',
      defineMessage('A branch can’t have its own files here: there is no git in a browser.'),
    );
  }

  /** The folders of all branches, as far as they are known. */
  folders(): readonly OpenedFolder[] {
    return this.records.flatMap(({ folders }) => folders);
  }

  budget(): OwnFilesBudget {
    const { maxTotalMegabytes, maxAgeDays } = this.wanted();
    return { maxBytes: maxTotalMegabytes * 1_000_000, maxAge: maxAgeDays * DAY };
  }

  /** As {@link BranchFiles.make}, of the open folders as they are now. @throws BranchFilesError */
  async make(request: Pick<MakeBranchFiles, 'id' | 'chatId' | 'signal'>): Promise<BranchFilesRecord> {
    const { link, copy, maxFiles, maxMegabytes } = this.wanted();
    const limits = { link, copy, maxFiles, maxBytes: maxMegabytes * 1_000_000 };
    const { storeAddress: store } = this.options;
    return (await this.host()).make({ ...request, store, folders: workspaceFolders(), limits });
  }

  /** Whether their chat is in the store of this window: another may have one that can't be seen here. */
  isOfStore({ store }: Pick<BranchFilesRecord, 'store'>): boolean {
    return store === this.options.storeAddress;
  }

  /** Runs once in new files, if the user approves it. */
  get setup(): string {
    return this.wanted().setup;
  }

  hasSandbox(): Promise<boolean> {
    return this.options.hasSandbox();
  }

  /** Runs the setup command in the sandbox. @returns what to tell of it, where it failed or made what has another name */
  setUp(record: BranchFilesRecord, label: string): Promise<string | undefined> {
    return this.progress.setUp(record, label, this.setup);
  }

  /**
   * Removes files whose branch was kept, as far as no other works with them: not at once, since Undo may need them. Their
   * changes stay, so that it still can.
   */
  async removeKept(): Promise<void> {
    try {
      for (const record of this.records) {
        if (record.state !== 'open' || (await this.keptOf(record))?.isKept !== true) continue;
        if ((await this.branchesWith(record)).length > 0) continue;
        await (await this.host()).discard(record.id);
        await this.read();
      }
    } catch (error) {
      logFailure(this.options.log, 'Files of branches', error);
    }
  }

  /** What the log says last of keeping them in the workspace: Undo and Redo need them. */
  async keptOf({
    id,
    chatId,
  }: Pick<BranchFilesRecord, 'id' | 'chatId'>): Promise<BranchFilesKept | undefined> {
    const { store } = this.options;
    if (!(await store.getChat(chatId))) return undefined;
    const all = await readFileRecords(store, chatId);
    return all
      .flatMap(({ record }) => ('restoreId' in record ? (record.branchFiles ?? []) : []))
      .findLast((kept) => kept.id === id);
  }

  async read(): Promise<void> {
    const { host, log } = this.options;
    try {
      if (host.branchFiles) await this.watch();
      this.records = host.branchFiles ? await (await this.host()).list() : [];
      for (const { id } of this.records) this.notHere.delete(id);
    } catch (error) {
      logFailure(log, 'Files of branches', error);
    }
    this.decorations.refresh();
  }

  /** What other windows do is followed from the first look on. */
  private async watch(): Promise<void> {
    if (this.isWatched) return;
    this.isWatched = true;
    const { folder, host, onDidChange } = this.options;
    const all = vscode.Uri.joinPath(folder, BRANCH_FILES);
    await host.files.ensureFolder(host.pathOf(all.toString()));
    this.disposables.add(
      watchOwnFiles(all, async () => {
        await this.read();
        onDidChange();
      }),
    );
  }

  /** All that are on this machine, of any chat. */
  all(): readonly BranchFilesRecord[] {
    return this.records;
  }

  /** The names of the branches that work with these files, or did before they were discarded. */
  async branchesWith({ id, chatId }: Pick<BranchFilesRecord, 'id' | 'chatId'>): Promise<string[]> {
    const names: string[] = [];
    for (const each of await this.options.store.listBranches(chatId, { includeArchived: true })) {
      if ((await this.recordAt(each))?.id === id) names.push(each.name);
    }
    return names;
  }

  /** The files that a chat works with, where they are not those of the workspace. */
  async guardedOf(chatId: string): Promise<GuardedFiles | undefined> {
    const { store } = this.options;
    // A new chat is stored with its first question.
    const branch = (await store.getChat(chatId)) && (await store.getActiveBranch(chatId));
    const record = branch && (await this.openAt(branch));
    return record && this.options.host.guardedFiles(() => record.folders);
  }

  /** The files that a point of a conversation belongs to, discarded ones as well. */
  async recordAt(point: Point): Promise<BranchFilesRecord | undefined> {
    const id = await this.idAt(point);
    if (id === undefined) return undefined;
    const find = (): BranchFilesRecord | undefined =>
      this.records.find((record) => record.id === id && record.chatId === point.chatId);
    if (find() || this.notHere.has(id)) return find();
    // Another window may have made them.
    await this.read();
    if (!find()) this.notHere.add(id);
    return find();
  }

  /** Whether a point belongs to files of its own, wherever they are. */
  async hasOwn(point: Point): Promise<boolean> {
    return (await this.idAt(point)) !== undefined;
  }

  /** Whether the files of a point are on another machine, or were removed from this one. */
  async isElsewhere(point: Point): Promise<boolean> {
    return (await this.hasOwn(point)) && !(await this.recordAt(point));
  }

  /** @throws OffshootError where there are none to work with, which says why */
  async requireAt(point: Point): Promise<BranchFilesRecord> {
    if (await this.hasOwn(point)) return workable(await this.recordAt(point));
    throw new OffshootError(
      'no-own-files',
      defineMessage('This branch has no files of its own. Select “Work in Its Own Files” in its menu first.'),
    );
  }

  /** As {@link recordAt}, if there are any to work with. */
  async openAt(point: Point): Promise<BranchFilesRecord | undefined> {
    const record = await this.recordAt(point);
    return record?.state === 'open' ? record : undefined;
  }

  /** The URIs of the folders that a chat works in now. */
  async foldersOf(chatId: string): Promise<readonly string[]> {
    const branch = await this.options.store.getActiveBranch(chatId);
    const record = branch && (await this.openAt(branch));
    return (record?.folders ?? workspaceFolders()).map(({ uri }) => uri);
  }

  /** Which files follow the conversation to a point: its own, or those of the workspace. */
  async follows(chatId: string, messageId: string | null): Promise<(file: FileLocation) => boolean> {
    const record = await this.openAt({ chatId, headMessageId: messageId });
    if (record) return ({ folder }) => record.folders.some(({ uri }) => uri === folder);
    const below = `${uriBelow(this.options.folder.toString(), BRANCH_FILES)}/`;
    return ({ folder }) => !folder.startsWith(below);
  }

  /** What a run uses in place of the workspace. @throws OffshootError */
  async ofRun(
    id: string,
    { chatId, branch }: { readonly chatId: string; readonly branch: string },
    toolsFor: (files: GuardedFiles, title: string) => () => readonly AgentTool[],
  ): Promise<OwnFilesOfRun> {
    // Another window may have made or discarded them.
    await this.read();
    const record = workable(this.records.find((each) => each.id === id && each.chatId === chatId));
    const guarded = this.options.host.guardedFiles(() => record.folders);
    const label = await this.options.labelOf(chatId, branch);
    const { effort, hint, temperature } = await this.racers.read(id);
    const answering = {
      effort: (model: ChatModel) =>
        effort !== undefined && effortsOf(model).includes(effort) ? effort : undefined,
      hint,
      temperature,
    };
    return { id, guarded, label, atOnce: this.atOnce, answering, tools: toolsFor(guarded, label) };
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /**
   * Has a branch work in the workspace once all of its files are kept there, or with them again when that is undone.
   * @throws BranchBusyError, BranchFilesError
   */
  async use(
    { branch, id, isKept }: BranchFilesKept,
    {
      chatId,
      set,
    }: {
      readonly chatId: string;
      readonly set: (chatId: string, branch: string, id: string | undefined) => Promise<void>;
    },
  ): Promise<void> {
    if (isKept) {
      await set(chatId, branch, undefined);
      return;
    }
    await this.read();
    const record = this.records.find((each) => each.id === id && each.chatId === chatId);
    // On another machine: the branch stays in the workspace.
    if (!record) return;
    if (record.state === 'discarded') {
      await this.make({ id, chatId });
      await this.read();
    }
    await set(chatId, branch, id);
    this.options.onDidChange();
  }

  /** For a row: undefined if the branch has no files of its own. */
  async describe(branch: Point): Promise<DescribedFiles | undefined> {
    const record = await this.recordAt(branch);
    if (record) return this.progress.describe(record, branch);
    return (await this.hasOwn(branch)) ? describeElsewhere() : undefined;
  }

  /** The branch that an open file belongs to, by its name for the user. */
  private async labelAt(uri: string): Promise<string | undefined> {
    const isBelow = ({ uri: folder }: OpenedFolder): boolean => uri.startsWith(`${folder}/`);
    const record = this.records.find(({ folders }) => folders.some(isBelow));
    if (!record) return undefined;
    const [name] = await this.branchesWith(record);
    return name === undefined ? undefined : this.options.labelOf(record.chatId, name);
  }

  private async idAt(point: Point): Promise<string | undefined> {
    const { chatId } = point;
    const isHere = this.records.some((record) => record.chatId === chatId);
    const mayHave = isHere || mayHaveOwnFiles(await this.options.store.getChat(chatId));
    return mayHave ? this.points.idAt(point) : undefined;
  }

  private wanted(): z.infer<typeof branchFilesSetting> {
    return branchFilesSetting.parse(this.options.settings.get('branchFiles'));
  }
}

/** @throws OffshootError where no branch can have files of its own */
export function requireFolders(): void {
  if (!vscode.workspace.isTrusted) {
    throw new OffshootError(
      'untrusted',
      defineMessage('A branch can’t have its own files in Restricted Mode. Trust the workspace first.'),
    );
  }
  if (workspaceFolders().length > 0) return;
  throw new OffshootError('no-folder', defineMessage('No folder is open. Open one and try again.'));
}

/** @throws OffshootError if there are none to work with */
function workable(record: BranchFilesRecord | undefined): BranchFilesRecord {
  if (record?.state === 'open') return record;
  throw record
    ? new OffshootError(
        'branch-files-discarded',
        defineMessage(
          'The files of this branch were discarded. Select “Bring Files Back” in its menu to have them again.',
        ),
      )
    : new OffshootError(
        'branch-files-elsewhere',
        defineMessage(
          'The files of this branch are not on this machine. Select “Work in Its Own Files” in its menu to make some here.',
        ),
      );
}
