import * as vscode from 'vscode';
import type { AgentProfile } from '../../agent/prompts/agentProfile.ts';
import type { ChatMode } from '../../agent/run/chatMode.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Fragment } from '../../engine/fragments/index.ts';
import type { JsonValue } from '../../engine/json.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { InstructionsFiles } from './instructionsFiles.ts';
import type { InstructionsKept } from './instructionsKept.ts';
import type { Memory } from './memory.ts';
import type { Skills } from './skills.ts';

export interface PromptFor {
  readonly chatId: string;
  readonly hasTools: boolean;
  readonly mode: ChatMode;
  readonly agent: Pick<AgentProfile, 'fragments'> | undefined;
  /** Where instruction files are looked for; left out: in the open folders. */
  readonly files?: GuardedFiles | undefined;
  /** What the state says of the branch's memory. */
  readonly branchMemory?: JsonValue | undefined;
}

/**
 * The system prompt: the one place that decides which fragments a model gets. The default instructions come first, then
 * the project files, the skills and the memory, then the user's for the workspace, then those for the chat: the more specific, the later; the role
 * is the one most specific to the chat.
 */
export class SystemPrompt implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: Disposable;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly instructions: InstructionsKept,
    private readonly files: InstructionsFiles,
    private readonly skills: Skills,
    private readonly memory: Memory,
  ) {
    const notify = (): void => this.changed.fire();
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      instructions.onDidChange(notify),
      files.onDidChange(notify),
      skills.onDidChange(notify),
      memory.onDidChange(notify),
    );
  }

  async fragments({ chatId, hasTools, mode, agent, files, branchMemory }: PromptFor): Promise<Fragment[]> {
    const ofWorkspace = await this.instructions.read('workspace');
    const ofChat = await this.instructions.read({ chatId });
    // The first view does without the texts.
    const { defaultFragments, instructionFragments, modeFragments, roleOf } =
      await import('../../agent/instructions/systemPrompt.ts');
    const [defaultRole, ...others] = defaultFragments({ hasTools, mode });
    const role = roleOf(ofChat, ofWorkspace) ?? defaultRole;
    return [
      ...(role ? [role] : []),
      ...others,
      ...modeFragments(mode),
      ...(agent?.fragments ?? []),
      ...(await this.files.fragments({ hasTools, files })),
      ...(await this.skills.fragments({ hasTools, files })),
      ...(await this.memory.fragments({ branchMemory, files })),
      ...(ofWorkspace ? instructionFragments(ofWorkspace) : []),
      ...(ofChat ? instructionFragments(ofChat) : []),
    ];
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
