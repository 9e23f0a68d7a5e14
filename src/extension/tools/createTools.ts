import * as vscode from 'vscode';
import { Approvals, WRITE } from '../../agent/tools/approvals.ts';
import type { MemoryHost } from '../../agent/memory/rememberTool.ts';
import type { SkillHost } from '../../agent/skills/skillTool.ts';
import { CommandRuns } from '../../agent/tools/commands/commandRuns.ts';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { loadOnce } from '../../base/loadOnce.ts';
import { shellName } from '../../host/commandShells.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { Programs } from '../../host/programs.ts';
import type { Reading } from '../../mcp/reading/readingTool.ts';
import type { Settings } from '../manifest/settings.ts';
import type { EditorTerminals } from './commandTerminals.ts';
import { EditorWorkspace } from '../files/editorWorkspace.ts';
import { createAgentTools, type AgentTools } from './agentTools.ts';
import { WorkspaceAllowances } from './allowances.ts';
import { ProposedChanges } from './proposedChanges.ts';
import { SelectedMode } from './selectedMode.ts';
import { CommandSandbox } from './commandSandbox.ts';
import { lmTools } from './lmTools.ts';
import type { ServerModelParts } from './serverModel.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import type { TextSearch } from '../../agent/tools/workspace/workspaceHost.ts';

export interface ToolsOptions {
  readonly guarded: GuardedFiles;
  readonly host: Pick<Host, 'isLocal' | 'programs' | 'sandbox' | 'watch' | 'web'>;
  readonly log: vscode.LogOutputChannel;
  readonly settings: Settings;
  readonly skills: { hostFor(files: GuardedFiles, load: SkillHost['load']): SkillHost };
  readonly memory: { hostFor(files: GuardedFiles, load: MemoryHost['load']): MemoryHost };
  readonly workspaceState: vscode.Memento;
  readonly reading: Reading;
  readonly serverModel: () => ServerModelParts;
  /** Whether others may read the chats. */
  readonly isShared: boolean;
}

export interface Tools extends AgentTools, Disposable {
  readonly approvals: Approvals;
  readonly changes: ProposedChanges;
  readonly mode: SelectedMode;
  readonly sandbox: CommandSandbox;
  /** The commands that are running, or ran in this window. */
  readonly commands: CommandRuns;
  /** Those that commands run in. @throws OffshootError where there are none */
  readonly terminals: () => Promise<EditorTerminals>;
  /** As those that are offered, confined to these files. @param title of the terminals */
  readonly toolsFor: (guarded: GuardedFiles, title: string) => () => readonly AgentTool[];
}

export function createTools({
  guarded,
  host,
  isShared,
  log,
  memory,
  reading,
  serverModel,
  settings,
  skills,
  workspaceState,
}: ToolsOptions): Tools {
  const made = new DisposableStore();
  const approvals = made.add(
    new Approvals(
      new WorkspaceAllowances(workspaceState),
      (kind) => kind === WRITE && settings.get('tools.edits') === 'reviewAfterwards',
    ),
  );
  const changes = made.add(new ProposedChanges(approvals, log));
  const commands = made.add(new CommandRuns());
  const load = () => import('./toolWork.ts');
  const sandbox = new CommandSandbox({
    host,
    workspaceState,
    folders: () => guarded.folders().map(({ uri }) => uri),
    shell: () => vscode.env.shell || '/bin/sh',
    loadLeave: async () => {
      const { hostRequest } = await load();
      return (chatId, origin) => approvals.isAllowed(hostRequest(origin), chatId);
    },
  });
  const foreignCalls = loadOnce(async () => made.add(new (await load()).ForeignCalls(serverModel())));
  const { programs, watch, web: reader } = host;
  let terminals: Promise<EditorTerminals> | undefined;
  const openTerminals = async (programs: () => Promise<Programs>): Promise<EditorTerminals> =>
    made.add(new (await load()).EditorTerminals(programs));
  const terminalsFor = (from: () => Promise<Programs>): Promise<EditorTerminals> =>
    (terminals ??= openTerminals(from));
  const commandHostFor = (guarded: GuardedFiles, title: string | undefined) =>
    programs &&
    watch && {
      guarded,
      title,
      runs: commands,
      shell: () => shellName(vscode.env.shell),
      watch,
      load,
      terminals: () => terminalsFor(programs),
      allowed: () => settings.get('commands.allow'),
      walls: sandbox,
    };
  const webHost = reader && {
    load,
    reader,
    log: (line: string) => log.info(`Web: ${line}`),
    allowedHosts: () => settings.get('web.allowedHosts'),
  };
  const workspaceFor = (guarded: GuardedFiles, searched: readonly string[] | undefined): EditorWorkspace =>
    new EditorWorkspace({
      guarded,
      searched,
      loadEdits: load,
      loadFinder: load,
      loadTexts: load,
      search: searchByPlace(host, {
        byProgram: async (programs) => {
          const { ripgrepSearch, searchEncodings } = await load();
          return ripgrepSearch(programs, searchEncodings(guarded));
        },
        walked: async () => {
          const { editorTexts, filesToSearch, walkedSearch } = await load();
          return walkedSearch(filesToSearch(guarded, editorTexts));
        },
      }),
    });
  const recall = {
    isShared,
    find: async (query: string, except: string, most: number) =>
      (await load()).visibleHits(reading, { query, chat: undefined, role: undefined, except }, most),
  };
  const toolsOf = (guarded: GuardedFiles, title?: string): AgentTools =>
    createAgentTools(
      settings,
      {
        workspace: workspaceFor(
          guarded,
          title === undefined ? undefined : guarded.folders().map(({ uri }) => uri),
        ),
        commands: commandHostFor(guarded, title),
        web: webHost,
        recall,
        skills: skills.hostFor(guarded, load),
        memory: memory.hostFor(guarded, load),
      },
      () => guarded.folders().every(({ uri }) => host.isLocal(uri)),
      () => lmTools(foreignCalls),
    );
  return {
    ...toolsOf(guarded),
    terminals: async () => {
      if (programs) return terminalsFor(programs);
      throw new OffshootError(
        'no-programs',
        defineMessage('Commands can’t run here: there are no terminals.'),
      );
    },
    toolsFor: (files, title) => toolsOf(files, title).offered,
    approvals,
    changes,
    commands,
    mode: made.add(new SelectedMode(workspaceState, sandbox)),
    sandbox,
    dispose: () => made.dispose(),
  };
}

/** Each is loaded on first use. */
interface Searches {
  readonly byProgram: (programs: Programs) => Promise<TextSearch>;
  readonly walked: () => Promise<TextSearch>;
}

/** Searches files on this machine with a program, and other folders by reading their files. */
function searchByPlace(
  { programs, isLocal }: Pick<Host, 'programs' | 'isLocal'>,
  { byProgram, walked }: Searches,
): TextSearch {
  const of = async (folder: string): Promise<TextSearch> =>
    programs && isLocal(folder) ? byProgram(await programs()) : walked();
  return {
    find: async (folder, ...given) => (await of(folder)).find(folder, ...given),
    secretFiles: async (folder, ...given) => (await of(folder)).secretFiles(folder, ...given),
  };
}
