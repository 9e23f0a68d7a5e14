import * as vscode from 'vscode';
import type { Disposable } from '../../kit/disposable.ts';
import { loadOnce } from '../../kit/loadOnce.ts';
import type { AnswerQuestion } from '../../store/durable/sharing/guestQuestions.ts';
import { LAUNCHER_KEY, type McpAccessDeps, type McpWork } from './mcpWork.ts';

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
    private readonly deps: McpAccessDeps,
    private readonly load: () => Promise<(deps: McpAccessDeps) => McpWork>,
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

  /** The server for this window's conversations, run by VS Code's own Node; none without Node. */
  definitions(): vscode.McpStdioServerDefinition[] {
    const { extension, folder, host, shared } = this.deps;
    if (!host.nodeCommand) return [];
    const { version } = extension.packageJSON as { readonly version: string };
    const { command, env } = host.nodeCommand;
    const program = host.pathOf(vscode.Uri.joinPath(extension.extensionUri, 'dist', 'mcp.mjs').toString());
    const args = [program, '--storage', host.pathOf(folder.toString()), ...(shared?.args ?? [])];
    return [new vscode.McpStdioServerDefinition('Offshoot', command, args, { ...env }, version)];
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

  /** Adds the server to a file that other agents read. */
  async addServer(): Promise<void> {
    await (await this.loaded()).addServer();
  }

  /** Asks the user about a program's request, and carries it out. */
  readonly answer: AnswerQuestion = async (question) => (await this.loaded()).answer(question);

  dispose(): void {
    this.isDisposed = true;
    this.work?.dispose();
  }
}
