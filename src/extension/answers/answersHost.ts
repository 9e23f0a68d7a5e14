import * as vscode from 'vscode';
import type { RunEvent } from '../../agent/runs.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { FromHost } from '../../protocol/fromHost.ts';
import type { FromPage } from '../../protocol/fromPage.ts';
import { DeltaBatch } from './deltaBatch.ts';
import { partView } from './messageView.ts';
import { openLink } from './openLink.ts';
import { loadPicture } from './loadPicture.ts';
import { openToolCall } from './toolCallFiles.ts';
import { findFiles } from '../workspaceFiles/findFiles.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { ContextMeter } from '../context/contextMeter.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { SuggestedChanges } from '../applyCode/suggestedChanges.ts';
import type { ThemeTokens } from '../theme/themeTokens.ts';

export interface AnswersHostDeps {
  readonly approvals: Approvals;
  readonly context: ContextMeter;
  /** What of the open folders may be named, read and written. */
  readonly guarded: GuardedFiles;
  readonly store: ReadonlyStore;
  readonly suggestions: SuggestedChanges;
  readonly themeTokens: ThemeTokens;
}

const messageTypes = [
  'themeShown',
  'copyText',
  'insertText',
  'applyCode',
  'openLink',
  'openToolCall',
  'findFiles',
  'loadPicture',
] as const;
/** What every page that shows answers may ask for. */
export type AnswersMessage = Extract<FromPage, { type: (typeof messageTypes)[number] }>;

export function isAnswersMessage(message: FromPage): message is AnswersMessage {
  return messageTypes.some((type) => type === message.type);
}

/** The host's side of the answers on a page: what streams in, and what the page needs and offers to show them. */
export class AnswersHost implements Disposable {
  private readonly deltas = new DeltaBatch((message) => this.post(message));
  private readonly colours: Disposable;
  /** The theme the page is shown in. */
  private themeId = '';

  constructor(
    private readonly services: AnswersHostDeps,
    private readonly post: (message: FromHost) => void,
  ) {
    this.colours = services.themeTokens.onDidChange(() => void this.colourCode());
  }

  /** Passes on what an answer says. False for what changes more than its text. */
  pass(event: RunEvent): boolean {
    if (event.kind === 'delta') {
      this.deltas.add(event);
      return true;
    }
    if (event.kind !== 'part') return false;
    // What was said before it comes before it.
    this.deltas.flush();
    const { branch, messageId, partIndex } = event;
    const part = partView(event.part, this.services.approvals);
    this.post({ type: 'answerPart', chatId: event.run.chatId, branch, messageId, partIndex, part });
    return true;
  }

  /** Sends at once what has been said so far. */
  flush(): void {
    this.deltas.flush();
  }

  async handle(message: AnswersMessage, chatId: string): Promise<void> {
    switch (message.type) {
      case 'themeShown':
        this.themeId = message.id;
        return this.colourCode();
      case 'copyText':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'insertText':
        await runCommand('offshoot.insertText', message.text);
        return;
      case 'applyCode':
        return this.services.suggestions.show(message);
      case 'openLink':
        return openLink(this.services.guarded, message.href);
      case 'openToolCall':
        return openToolCall(chatId, message);
      case 'findFiles': {
        const { names } = message;
        this.post({ type: 'filesFound', names, files: await findFiles(this.services.guarded, names) });
        return;
      }
      case 'loadPicture':
        this.post({ type: 'pictureLoaded', ...(await loadPicture(this.services, message.name)) });
    }
  }

  dispose(): void {
    this.deltas.dispose();
    this.colours.dispose();
  }

  /** Tells the page how its theme colours code. */
  private async colourCode(): Promise<void> {
    const { themeId } = this;
    this.post({ type: 'codeColoured', themeId, styles: await this.services.themeTokens.read(themeId) });
  }
}
