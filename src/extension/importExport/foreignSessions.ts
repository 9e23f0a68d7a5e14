import * as vscode from 'vscode';
import type { Imports } from '../../conversation/imports.ts';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { clineItems, type ClineItem } from '../../importExport/clineItems.ts';
import { textOf, type BatchList } from '../../importExport/importBatch.ts';
import { programs, type Program } from '../../importExport/importPrograms.ts';
import type { TaskFiles } from '../../importExport/sessionBatches.ts';
import type { ForeignFile, ForeignFiles } from '../../host/foreignFiles.ts';
import type { OpenedFolder } from '../../host/workspaceFiles.ts';
import { workspaceFolders } from '../files/openFolders.ts';

/** This extension's own storage; the storage of VS Code and other extensions is next to it. */
export interface ForeignPlaces {
  /** Undefined if there are no other programs. */
  readonly files: (() => Promise<ForeignFiles>) | undefined;
  /** The path of a URI, as `files` takes it. */
  readonly pathOf: (uri: string) => string;
  /** In that of the workspace; undefined if none is open. */
  readonly storage: vscode.Uri | undefined;
  readonly globalStorage: vscode.Uri;
}

/** Other programs work in folders of this machine. */
export function localFolders(): readonly OpenedFolder[] {
  return workspaceFolders().filter(({ uri }) => uri.startsWith('file:'));
}

/** The newest ones of one program. */
const MAX_SESSIONS = 500;

const extensionsOfTasks = [
  ['cline', 'saoudrizwan.claude-dev'],
  ['roo', 'rooveterinaryinc.roo-cline'],
] as const;

/** @param onProgram called with each program before its search */
export async function findSessions(
  places: ForeignPlaces,
  { formats }: Pick<Imports, 'formats'>,
  list: BatchList,
  now: number,
  onProgram: (name: string) => void,
): Promise<void> {
  if (!places.files) return;
  const files = await places.files();
  const folders = (await Promise.all(localFolders().map(({ uri }) => files.namesOf(uri)))).flat();
  const isHere = (folder: string | undefined): boolean =>
    folder !== undefined && folders.some((each) => isWithin(folder, each));
  const finder = new SessionFinder(places, files, list);
  onProgram(programs['claude-code'].name);
  const claude = await finder.claudeCode(folders);
  await formats.addClaudeCode(list, finder.newest('claude-code', claude), now);
  onProgram(programs.codex.name);
  await formats.addCodex(list, finder.newest('codex', await finder.codex()), now, isHere);
  for (const [program, extension] of extensionsOfTasks) {
    onProgram(programs[program].name);
    const tasks = await finder.tasks(program, extension);
    // A task whose folder is unknown may belong here.
    await formats.addCline(list, tasks, now, (folder) => folder === undefined || isHere(folder));
  }
  onProgram(programs.vscode.name);
  await formats.addSessions(list, 'vscode', finder.newest('vscode', await finder.vsCode()), now);
  onProgram(programs.pi.name);
  await formats.addSessions(list, 'pi', finder.newest('pi', await finder.pi(folders)), now);
}

function isWithin(folder: string, other: string): boolean {
  const plain = (name: string): string => name.replaceAll('\\', '/').replace(/\/+$/u, '');
  return `${plain(folder)}/`.startsWith(`${plain(other)}/`);
}

class SessionFinder {
  constructor(
    private readonly places: ForeignPlaces,
    private readonly files: ForeignFiles,
    private readonly problems: BatchList,
  ) {}

  newest(program: Program, found: readonly ForeignFile[]): ForeignFile[] {
    const kept = found.toSorted((one, other) => other.changedAt - one.changedAt).slice(0, MAX_SESSIONS);
    if (kept.length < found.length) {
      const error = new ImportError(
        defineMessage('only the newest {0} sessions are looked at', MAX_SESSIONS),
      );
      this.problems.unread.push({ name: programs[program].name, error });
    }
    return kept;
  }

  /** Has a folder for each project, and in it one for each session with its own agents. */
  async claudeCode(folders: readonly string[]): Promise<ForeignFile[]> {
    const { claudeCode } = this.files.homes;
    const names = new Set(folders.map((folder) => folder.replaceAll(/[^a-zA-Z0-9]/gu, '-')));
    const found: ForeignFile[] = [];
    for (const name of names) {
      const { files, folders: sessions } = await this.files.list(claudeCode, name);
      found.push(...sessionFiles(files));
      for (const session of sessions.slice(0, MAX_SESSIONS)) {
        const { files: agents } = await this.files.list(claudeCode, name, session, 'subagents');
        found.push(...sessionFiles(agents));
      }
    }
    return found;
  }

  /** Sorted by year, month and day; each session contains the folder it worked in. */
  async codex(): Promise<ForeignFile[]> {
    const { codex } = this.files.homes;
    const found: ForeignFile[] = [];
    for (const year of await this.numbered(codex)) {
      for (const month of await this.numbered(codex, year)) {
        for (const day of await this.numbered(codex, year, month)) {
          found.push(...sessionFiles((await this.files.list(codex, year, month, day)).files));
        }
      }
    }
    return found;
  }

  async pi(folders: readonly string[]): Promise<ForeignFile[]> {
    const names = folders.map((each) => `--${each.replace(/^[/\\]/u, '').replaceAll(/[/\\:]/gu, '-')}--`);
    const listed = await Promise.all(
      [...new Set(names)].map((name) => this.files.list(this.files.homes.pi, name)),
    );
    return listed.flatMap(({ files }) => sessionFiles(files));
  }

  async vsCode(): Promise<ForeignFile[]> {
    const { storage, globalStorage } = this.places;
    const folder = storage
      ? this.sibling(storage, 'chatSessions')
      : this.sibling(globalStorage, 'emptyWindowChatSessions');
    const { files } = await this.files.list(folder);
    return files.filter(({ name }) => /\.jsonl?$/u.test(name));
  }

  async tasks(program: 'cline' | 'roo', extension: string): Promise<TaskFiles[]> {
    const root = this.sibling(this.places.globalStorage, extension);
    const items = new Map(
      (await this.items(root, 'state', 'taskHistory.json')).map((item) => [item.id, item]),
    );
    const { folders } = await this.files.list(root, 'tasks');
    const tasks: TaskFiles[] = [];
    // Their names are times, or increase with them.
    for (const id of folders.toSorted().slice(-MAX_SESSIONS)) {
      const { files } = await this.files.list(root, 'tasks', id);
      const named = (name: string): ForeignFile | undefined => files.find((file) => file.name === name);
      const history = named('api_conversation_history.json');
      if (!history) continue;
      const own = named('history_item.json') ? await this.items(root, 'tasks', id, 'history_item.json') : [];
      const { title, folder } = own[0] ?? items.get(id) ?? {};
      tasks.push({ program, id, title, folder, history, metadata: named('task_metadata.json') });
    }
    return tasks;
  }

  private async items(root: string, ...place: readonly string[]): Promise<ClineItem[]> {
    const { files } = await this.files.list(root, ...place.slice(0, -1));
    const file = files.find(({ name }) => name === place.at(-1));
    try {
      return file ? clineItems(await textOf(file)) : [];
    } catch {
      // The title of a task can also be read from the task.
      return [];
    }
  }

  private async numbered(root: string, ...below: readonly string[]): Promise<string[]> {
    const { folders } = await this.files.list(root, ...below);
    return folders.filter((name) => /^\d+$/u.test(name)).toSorted();
  }

  private sibling(own: vscode.Uri, name: string): string {
    return this.places.pathOf(vscode.Uri.joinPath(own, '..', name).toString());
  }
}

function sessionFiles(files: readonly ForeignFile[]): ForeignFile[] {
  return files.filter(({ name }) => name.endsWith('.jsonl'));
}
