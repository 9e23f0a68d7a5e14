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
  /** The folder of the launcher that other programs start. */
  readonly globalStorage: vscode.Uri;
  readonly globalState: vscode.Memento;
  /** Where the conversations of this window are stored. */
  readonly folder: vscode.Uri;
  readonly host: Pick<Host, 'nodeCommand' | 'pathOf' | 'workspaceFiles'>;
  readonly labels: BranchLabels;
  readonly store: ReadonlyStore;
  readonly userId: string;
  readonly workspaceState: vscode.Memento;
  /** Undefined if the conversations are on this machine. */
  readonly shared: SharedServer | undefined;
}

/** How the server accesses a shared store. */
export interface SharedServer {
  /** The arguments to start it with. */
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
  /** Whether agents of this window may read the conversations; the user is asked once. */
  mayRead(): Promise<boolean>;
  prepareTool(name: string, input: unknown): vscode.PreparedToolInvocation;
  renewLauncher(): Promise<void>;
}
