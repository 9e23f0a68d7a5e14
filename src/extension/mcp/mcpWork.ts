import type * as vscode from 'vscode';
import type { Conversations } from '../../conversation/conversations.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { Host } from '../../platform/hostMachine.ts';
import type { AnswerQuestion } from '../../store/durable/sharing/guestQuestions.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';

export interface McpAccessDeps {
  readonly conversations: Conversations;
  readonly extension: Pick<vscode.Extension<unknown>, 'extensionUri' | 'packageJSON'>;
  /** Where the launcher lies, which other programs start. */
  readonly globalStorage: vscode.Uri;
  readonly globalState: vscode.Memento;
  /** Where the conversations of this window are kept. */
  readonly folder: vscode.Uri;
  readonly host: Pick<Host, 'nodeCommand' | 'pathOf' | 'workspaceFiles'>;
  readonly labels: BranchLabels;
  readonly store: ReadonlyStore;
  readonly userId: string;
  readonly workspaceState: vscode.Memento;
  /** Undefined where the conversations are on this machine. */
  readonly shared: SharedServer | undefined;
}

/** How the server gets at a shared store. */
export interface SharedServer {
  /** What it is started with. */
  readonly args: readonly string[];
  password(): Promise<string>;
  /** From then on, this window answers what programs ask by way of its folder. */
  hearQuestions(): Promise<void>;
}

/** The launcher was written by the version whose folder this is; undefined: none was ever written. */
export const LAUNCHER_KEY = 'mcp.launcher';

/** What is loaded once another agent comes, or is to. */
export interface McpWork extends Disposable {
  readonly answer: AnswerQuestion;
  addServer(): Promise<void>;
  invokeTool(name: string, input: unknown): Promise<vscode.LanguageModelToolResult>;
  /** Whether agents of this window may read the conversations; the user is asked once. */
  mayRead(): Promise<boolean>;
  prepareTool(name: string, input: unknown): vscode.PreparedToolInvocation;
  renewLauncher(): Promise<void>;
}
