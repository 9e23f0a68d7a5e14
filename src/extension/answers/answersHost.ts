import * as vscode from 'vscode';
import type { RunEvent } from '../../agent/runs.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { AlternativesProtocol } from '../../protocol/alternativesFromPage.ts';
import type { AnswersFromHost } from '../../protocol/answersFromHost.ts';
import type { AnswersNotice } from '../../protocol/answersFromPage.ts';
import { actOnCommand, type CommandActionsDeps } from './commandActions.ts';
import { DeltaBatch } from './deltaBatch.ts';
import { partView } from './messageView.ts';
import { openLink } from './openLink.ts';
import { actOnTask, type TaskActionsDeps } from './taskActions.ts';
import { loadImage, loadPicture } from './loadPicture.ts';
import { openToolCall } from './toolCallFiles.ts';
import { findFiles } from '../workspaceFiles/findFiles.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { Answers } from '../pages/webviewHost.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { ContextMeter } from '../context/contextMeter.ts';
import type { SuggestedChanges } from '../applyCode/suggestedChanges.ts';
import type { ThemeTokens } from '../theme/themeTokens.ts';

export interface AnswersHostDeps extends CommandActionsDeps, TaskActionsDeps {
  readonly approvals: Approvals;
  readonly context: ContextMeter;
  /** Decides what in the open folders may be named, read and written. */
  readonly guarded: GuardedFiles;
  readonly suggestions: SuggestedChanges;
  readonly themeTokens: ThemeTokens;
}

/** The host's side of the answers on a page: what is streamed, and what the page needs and offers to show them. */
export class AnswersHost implements Disposable {
  private readonly deltas = new DeltaBatch((message) => this.post(message));
  private readonly colours: Disposable;

  constructor(
    private readonly deps: AnswersHostDeps,
    private readonly post: (message: AnswersFromHost) => void,
  ) {
    this.colours = deps.themeTokens.onDidChange(() => this.post({ type: 'codeColoursChanged' }));
  }

  /** The requests that every page with answers may send. */
  readonly answers: Answers<AlternativesProtocol> = {
    readTokenStyles: async ({ themeId }) => ({ styles: await this.deps.themeTokens.read(themeId) }),
    findFiles: async ({ names }) => ({ files: await findFiles(this.deps.guarded, names) }),
    loadPicture: ({ name }) => loadPicture(this.deps, name),
    loadImage: ({ hash }) => loadImage(this.deps.store, hash),
  };

  /** Passes on the text of an answer. False for events that change more than its text. */
  pass(event: RunEvent): boolean {
    if (event.kind === 'delta') {
      this.deltas.add(event);
      return true;
    }
    if (event.kind !== 'part') return false;
    // Text sent before the event must arrive before it.
    this.deltas.flush();
    const { branch, messageId, partIndex } = event;
    const part = partView(event.part, this.deps.approvals, { isLive: true });
    this.post({ type: 'answerPart', chatId: event.run.chatId, branch, messageId, partIndex, part });
    return true;
  }

  /** Sends the batched text at once. */
  flush(): void {
    this.deltas.flush();
  }

  async handle(message: AnswersNotice, chatId: string): Promise<void> {
    switch (message.type) {
      case 'copyText':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'insertText':
        await runCommand('offshoot.insertText', message.text);
        return;
      case 'applyCode':
        return this.deps.suggestions.show(message);
      case 'openLink':
        return openLink(this.deps.guarded, message.href);
      case 'openToolCall':
        return openToolCall(chatId, message);
      case 'actOnCommand':
        return actOnCommand(this.deps.commands, message);
      case 'openTask':
      case 'stopTask':
        return actOnTask(this.deps, chatId, message);
    }
  }

  dispose(): void {
    this.deltas.dispose();
    this.colours.dispose();
  }
}
