import * as vscode from 'vscode';
import { CHAT_VIEW, ChatPage } from './chat/chatPage.ts';
import { registerCommands } from './commands/registerCommands.ts';
import { registerInstructionsFiles } from './context/registerInstructionsFiles.ts';
import { registerReadingTools } from './mcp/registerReadingTools.ts';
import { LastConversation, type LastFile } from './chat/lastConversation.ts';
import type { Offshoot } from './offshoot.ts';
import type { Disposable } from '../base/disposable.ts';
import { rememberedSetting } from './manifest/storedSettings.ts';
import { notify } from './ui/notifications.ts';

/**
 * How long VS Code may take to ask for the page, in milliseconds. If something else activated the extension, the rest
 * starts after that: started earlier, it would delay the page.
 */
const START_MS = 300;

/**
 * How long the page may take to ask for its content, in milliseconds. Starting the rest before would delay it: with 20
 * ms the page appeared later, and its conversation no sooner.
 */
const SENT_MS = 120;

/** For the integration tests; no other caller gets anything. */
export interface OffshootApi {
  start(): Promise<Offshoot>;
}

export type Start = (
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  page: ChatPage,
) => Promise<Offshoot>;

export interface Activated {
  readonly api: OffshootApi | undefined;
  readonly page: Pick<ChatPage, 'onDidOpen' | 'shown'>;
  /** Stops what runs and closes the store, if it was opened. */
  close(): Promise<void>;
}

/**
 * Registers what VS Code looks for as soon as the extension is active; everything behind it is loaded on first use. The
 * chat's page is available at once, so that it loads while the rest does.
 * @param lastFile keeps the last conversation; undefined where there is no such file
 */
export function activateWith(
  context: vscode.ExtensionContext,
  load: () => Promise<Start>,
  lastFile?: LastFile,
): Activated {
  const log = vscode.window.createOutputChannel('Offshoot', { log: true });
  const last =
    lastFile &&
    new LastConversation(
      lastFile,
      () => placeOfLast(context),
      (error) => log.warn(`The last conversation could not be kept (${String(error)})`),
    );
  const page = new ChatPage(context.extensionUri, last);
  const whole = new Lazy(log, async () => (await load())(context, log, page));
  context.subscriptions.push(
    whole,
    page,
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, page),
    page.onDidOpen(() => lastFile?.begin()),
    page.onDidOpen(() => whole.within(SENT_MS)),
    page.onDidAsk(() => whole.within(0)),
    registerCommands(context.extension, async (name, args) => {
      await (await whole.get()).commands.run(name, args);
    }),
    // A link ends a sign-in that waits for it, or names a place and no command: that command shows the place.
    vscode.window.registerUriHandler({
      handleUri: async (uri) => {
        const { parts, commands } = await whole.get();
        if (!parts.signIns.received(uri)) await commands.run('openLink', [uri.toString()]);
      },
    }),
    registerReadingTools(context.extension, async () => (await whole.get()).parts.mcp),
    registerInstructionsFiles(async () => (await whole.get()).instructions),
    log,
  );
  whole.within(START_MS);
  return {
    api: context.extensionMode === vscode.ExtensionMode.Test ? { start: () => whole.get() } : undefined,
    page,
    close: async () => whole.existing?.parts.close(),
  };
}

/** What has to be the same at the next start: each version has a folder of its own. */
function placeOfLast({ extensionUri, globalState }: vscode.ExtensionContext): string {
  const shared = rememberedSetting(globalState, 'sharedStore.address');
  return JSON.stringify([extensionUri.toString(), vscode.env.language, shared ?? '']);
}

class Lazy<T extends Disposable> implements Disposable {
  private making: Promise<T> | undefined;
  private made: T | undefined;
  private isDisposed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param make reports its own failure here */
  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly make: () => Promise<T>,
  ) {}

  get existing(): T | undefined {
    return this.made;
  }

  get(): Promise<T> {
    clearTimeout(this.timer);
    return (this.making ??= this.tryToMake());
  }

  /** Creates it after this many milliseconds, even if it was not requested. */
  within(ms: number): void {
    clearTimeout(this.timer);
    if (!this.making && !this.isDisposed)
      this.timer = setTimeout(() => void this.get().catch(() => undefined), ms);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.made?.dispose();
  }

  private async tryToMake(): Promise<T> {
    try {
      this.made = await this.make();
      if (this.isDisposed) this.made.dispose();
      return this.made;
    } catch (error) {
      this.log.error(error instanceof Error ? error : String(error));
      const text = vscode.l10n.t(
        'Offshoot could not start. The log says why; reload the window to try again.',
      );
      void notify.error(text);
      throw error;
    }
  }
}
