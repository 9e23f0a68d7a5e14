import * as vscode from 'vscode';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { readSlashText, type PromptView } from '../../protocol/slashCommands.ts';
import type { listPrompts, takePrompt } from './takePrompt.ts';

/** What is needed only once a slash is typed. */
export interface PromptsWork {
  readonly listPrompts: typeof listPrompts;
  readonly takePrompt: typeof takePrompt;
}

/** None while the workspace is not trusted. */
export class Prompts {
  constructor(
    private readonly deps: Parameters<typeof listPrompts>[0] & Parameters<typeof takePrompt>[0],
    private readonly work: () => Promise<PromptsWork>,
  ) {}

  async list(): Promise<PromptView[]> {
    if (!vscode.workspace.isTrusted || this.deps.guarded.folders().length === 0) return [];
    return (await this.work()).listPrompts(this.deps);
  }

  /**
   * What the prompt file or the skill adds to a question that begins with its name; nothing for any other text.
   * @returns undefined when the user cancelled its inputs
   * @throws OffshootError when the file cannot be run
   */
  async take(text: string): Promise<UIMessagePart[] | undefined> {
    const slashed = readSlashText(text);
    if (!slashed || !vscode.workspace.isTrusted || this.deps.guarded.folders().length === 0) return [];
    return (await this.work()).takePrompt(this.deps, slashed);
  }
}
