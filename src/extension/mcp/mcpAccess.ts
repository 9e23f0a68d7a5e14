import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { loadOnce } from '../../base/loadOnce.ts';
import type { AnswerQuestion } from '../../store/windows/guestQuestions.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { Authors } from '../../lineOrigins/stepDetails.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import type { DocumentOrigins } from '../origins/documentOrigins.ts';

/** Access of other agents to the conversations of this window: what exists from the start, and what it loads. */
export class McpAccess implements Disposable {
  private work: McpWork | undefined;
  private isDisposed = false;
  private readonly loaded = loadOnce(async () => {
    this.work = (await this.load())(this.deps);
    if (this.isDisposed) this.work.dispose();
    return this.work;
  });

  constructor(
    private readonly deps: McpContext,
    private readonly load: () => Promise<(deps: McpContext) => McpWork>,
  ) {
    // An update has another folder, which the launcher finds automatically, unless it lies somewhere else altogether.
    const written = deps.globalState.get(LAUNCHER_KEY);
    if (written !== undefined && written !== deps.extension.extensionUri.toString()) {
      void this.loaded().then(
        (work) => work.renewLauncher(),
        () => undefined,
      );
    }
  }

  /** Run by VS Code's own Node; none without Node. */
  definitions(): vscode.McpStdioServerDefinition[] {
    const { extension, folder, host, shared } = this.deps;
    if (!host.nodeCommand) return [];
    const { version } = extension.packageJSON as { readonly version: string };
    const { command, env } = host.nodeCommand;
    const program = host.pathOf(vscode.Uri.joinPath(extension.extensionUri, 'dist', 'mcp.mjs').toString());
    const args = [program, '--storage', host.pathOf(folder.toString()), ...(shared?.args ?? [])];
    const definition = new vscode.McpStdioServerDefinition('Offshoot', command, args, { ...env }, version);
    // Where no run has changed a file yet, paths are those of the folder that it is started in.
    const here = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
    if (here) definition.cwd = here.uri;
    return [definition];
  }

  /** @returns undefined when the user does not want agents to read the conversations */
  async resolve(
    server: vscode.McpStdioServerDefinition,
  ): Promise<vscode.McpStdioServerDefinition | undefined> {
    if (!(await (await this.loaded()).mayRead())) return undefined;
    const { shared } = this.deps;
    if (!shared) return server;
    await shared.hearQuestions();
    server.env = { ...server.env, PGPASSWORD: await shared.password() };
    return server;
  }

  async prepareTool(name: string, input: unknown): Promise<vscode.PreparedToolInvocation> {
    return (await this.loaded()).prepareTool(name, input);
  }

  async invokeTool(name: string, input: unknown): Promise<vscode.LanguageModelToolResult> {
    return (await this.loaded()).invokeTool(name, input);
  }

  async addServer(): Promise<void> {
    await (await this.loaded()).addServer();
  }

  readonly answer: AnswerQuestion = async (question) => (await this.loaded()).answer(question);

  dispose(): void {
    this.isDisposed = true;
    this.work?.dispose();
  }
}

export interface McpContext {
  /** Undefined if the conversations are on this machine. */
  readonly authors: Authors | undefined;
  readonly conversations: Conversations;
  readonly extension: Pick<vscode.Extension<unknown>, 'extensionUri' | 'packageJSON'>;
  /** The folder of the launcher that other programs start. */
  readonly globalStorage: vscode.Uri;
  readonly globalState: vscode.Memento;
  /** Where the conversations of this window are stored. */
  readonly folder: vscode.Uri;
  readonly host: Pick<Host, 'nodeCommand' | 'pathOf' | 'workspaceFiles'>;
  readonly labels: BranchLabels;
  readonly origins: () => Promise<Pick<DocumentOrigins, 'recorded'>>;
  readonly store: ReadonlyStore;
  readonly userId: string;
  readonly workspaceState: vscode.Memento;
  /** Undefined if the conversations are on this machine. */
  readonly shared: SharedServer | undefined;
}

export interface SharedServer {
  readonly args: readonly string[];
  password(): Promise<string>;
  /** From then on, this window answers the questions that programs put in its folder. */
  hearQuestions(): Promise<void>;
}

/** The folder of the version that wrote the launcher; undefined: none was ever written. */
export const LAUNCHER_KEY = 'mcp.launcher';

/** Loaded once another agent connects, or the user adds one. */
export interface McpWork extends Disposable {
  readonly answer: AnswerQuestion;
  addServer(): Promise<void>;
  invokeTool(name: string, input: unknown): Promise<vscode.LanguageModelToolResult>;
  /** The user is asked once. */
  mayRead(): Promise<boolean>;
  prepareTool(name: string, input: unknown): vscode.PreparedToolInvocation;
  renewLauncher(): Promise<void>;
}

/** As in package.json. */
const PROVIDER = 'offshoot.mcp';

/** Nothing is started before an agent needs it. */
export function registerMcp({ mcp }: { readonly mcp: McpAccess }): vscode.Disposable {
  return vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
    provideMcpServerDefinitions: () => mcp.definitions(),
    resolveMcpServerDefinition: (server: vscode.McpStdioServerDefinition) => mcp.resolve(server),
  });
}

interface SharedPlaceForPrograms {
  readonly serverArguments: readonly string[];
  password(): Promise<string>;
}

type LocalStore = Pick<ReadonlyStore, 'listChats'> & { close(): Promise<void> };

/**
 * The MCP server over a shared store. It reads there directly; its questions to the user are asked in a window, which
 * is found by the folder of the workspace's own conversations. This opens that folder for it.
 */
export class SharedMcpServer implements SharedServer, Disposable {
  private local: LocalStore | undefined;

  constructor(
    private readonly place: SharedPlaceForPrograms,
    private readonly openLocal: () => LocalStore,
    private readonly onError: (error: unknown) => void,
  ) {}

  get args(): readonly string[] {
    return this.place.serverArguments;
  }

  password(): Promise<string> {
    return this.place.password();
  }

  async hearQuestions(): Promise<void> {
    this.local ??= this.openLocal();
    await this.local.listChats({ limit: 1, details: false });
  }

  dispose(): void {
    this.local?.close().catch(this.onError);
  }
}
