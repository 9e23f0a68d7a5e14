import * as vscode from 'vscode';
import type { RunEvent } from '../../agent/runs.ts';
import type { Disposable } from '../../engine/event.ts';
import type { FromHost } from '../../protocol/fromHost.ts';
import { fromPage, type FromPage } from '../../protocol/fromPage.ts';
import { DeltaBatch } from '../chat/deltaBatch.ts';
import { pageTexts } from '../chat/pageTexts.ts';
import { partView } from '../chat/messageView.ts';
import { openLink } from '../chat/openLink.ts';
import { loadPicture } from '../chat/pictures.ts';
import { openToolCall } from '../chat/toolCallFiles.ts';
import { logFailure, messageOf } from '../failures.ts';
import { findFiles } from '../links/findFiles.ts';
import { oneLine } from '../oneLine.ts';
import type { Services } from '../services.ts';
import { readTries } from './readTries.ts';

/** How long changes are gathered before the page is told, in milliseconds: one action makes several. */
const GATHER_MS = 10;

const TITLE_LENGTH = 30;

/** What the panel shows: all answers to one question. */
export interface TriesPlace {
  readonly chatId: string;
  readonly questionId: string;
}

/** Goes to the branch of the answer that was chosen. False when the person thought better of it. */
export type KeepTry = (place: TriesPlace, branch: string) => Promise<boolean>;

/** The host's side of one page that shows answers side by side. It holds nothing of them: the store says what there is. */
export class TriesPanel implements Disposable {
  private readonly subscriptions: Disposable[];
  private readonly deltas = new DeltaBatch((message) => this.post(message));
  /** The theme the page is shown in. */
  private themeId = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private refreshing = Promise.resolve();

  constructor(
    private readonly services: Services,
    readonly place: TriesPlace,
    readonly panel: vscode.WebviewPanel,
    private readonly keep: KeepTry,
  ) {
    const refresh = (): void => this.scheduleRefresh();
    this.subscriptions = [
      panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message)),
      services.store.onDidChange(({ chatId }) => {
        if (chatId === place.chatId) refresh();
      }),
      services.onDidRefresh(refresh),
      services.themeTokens.onDidChange(() => void this.colourCode()),
      services.runs.onDidChange((event) => {
        if (event.run.chatId === place.chatId && event.run.questionId === place.questionId) this.told(event);
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.deltas.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private told(event: RunEvent): void {
    if (event.kind === 'delta') this.deltas.add(event);
    else if (event.kind === 'part') {
      // What was said before it comes before it.
      this.deltas.flush();
      const { branch, messageId, partIndex } = event;
      const part = partView(event.part, this.services.approvals);
      this.post({ type: 'answerPart', branch, messageId, partIndex, part });
    } else this.scheduleRefresh();
  }

  private receive(message: unknown): void {
    const read = fromPage.safeParse(message);
    if (!read.success) {
      this.services.log.warn('The page of answers sent a message that was refused');
      return;
    }
    this.handle(read.data).catch((error: unknown) => {
      logFailure(this.services.log, read.data.type, error);
      this.post({ type: 'actionFailed', text: messageOf(error) });
    });
  }

  /** What this page can ask for; the rest of the protocol is the chat's. */
  private async handle(message: FromPage): Promise<void> {
    const { runs } = this.services;
    const { chatId, questionId } = this.place;
    switch (message.type) {
      case 'ready':
        this.post({ type: 'localised', texts: pageTexts(), locale: vscode.env.language });
        await this.queueRefresh();
        return;
      case 'stopAnswer':
        return runs.stop(chatId, message.branch);
      case 'stopTries': {
        const running = runs.list(chatId).filter((run) => run.questionId === questionId);
        await Promise.all(running.map(({ branch }) => runs.stop(chatId, branch)));
        return;
      }
      case 'keepTry':
        if (await this.keep(this.place, message.branch)) this.panel.dispose();
        return;
      case 'copyText':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'insertText':
        await vscode.commands.executeCommand('offshoot.insertText', message.text);
        return;
      case 'openLink':
        return openLink(message.href);
      case 'themeShown':
        this.themeId = message.id;
        return this.colourCode();
      case 'openToolCall':
        return openToolCall(chatId, message);
      case 'applyCode':
        return this.services.suggestions.show(message);
      case 'loadPicture':
        this.post({ type: 'pictureLoaded', ...(await loadPicture(this.services, message.name)) });
        return;
      case 'findFiles': {
        const { names } = message;
        this.post({ type: 'filesFound', names, files: await findFiles(names) });
        return;
      }
      default:
        this.services.log.warn(`The page of answers asked for ${message.type}, which only the chat does`);
    }
  }

  /** Tells the page how its theme colours code. */
  private async colourCode(): Promise<void> {
    const { themeId } = this;
    this.post({ type: 'codeColoured', themeId, styles: await this.services.themeTokens.read(themeId) });
  }

  private scheduleRefresh(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.queueRefresh();
    }, GATHER_MS);
  }

  /** One after the other: an older picture must not come after a newer one. */
  private queueRefresh(): Promise<void> {
    this.refreshing = this.refreshing.then(() => this.refresh());
    return this.refreshing;
  }

  private async refresh(): Promise<void> {
    try {
      const { chatId, questionId } = this.place;
      const tries = await readTries(this.services, chatId, questionId);
      this.deltas.flush();
      if (tries) this.panel.title = titleOf(tries.question);
      this.post({ type: 'triesChanged', place: { chatId, questionId }, ...(tries ? { tries } : {}) });
    } catch (error) {
      logFailure(this.services.log, 'The answers could not be shown', error);
      this.post({ type: 'actionFailed', text: messageOf(error) });
    }
  }

  private post(message: FromHost): void {
    // A hidden page misses nothing: it asks for everything when it is back.
    void this.panel.webview.postMessage(message);
  }
}

export function titleOf(question: string): string {
  return vscode.l10n.t('Answers: {0}', oneLine(question, TITLE_LENGTH));
}
