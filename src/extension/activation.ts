import * as vscode from 'vscode';
import { CHAT_VIEW, ChatPage } from './chat/chatPage.ts';
import { registerCommands } from './commands/registerCommands.ts';
import { registerInstructionsFiles } from './instructions/registerInstructionsFiles.ts';
import { registerReadingTools } from './mcp/registerReadingTools.ts';
import { Lazy } from './ui/lazy.ts';
import type { Offshoot } from './offshoot.ts';

/**
 * How long VS Code may take to ask for the page, in milliseconds. If something else activated the extension, the rest
 * starts after that: started earlier, it would delay the page.
 */
const START_MS = 300;

/**
 * How long the page may take to reach the screen, in milliseconds. Starting the rest would delay it: with 20 ms the
 * page appeared later, and its conversation no sooner.
 */
const SENT_MS = 120;

/** What the integration tests can inspect; no other caller gets anything. */
export interface OffshootApi {
  start(): Promise<Offshoot>;
}

/** Starts everything behind what activation registers. */
export type Start = (
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  page: ChatPage,
) => Promise<Offshoot>;

/** An activated extension. */
export interface Activated {
  readonly api: OffshootApi | undefined;
  readonly page: Pick<ChatPage, 'onDidOpen'>;
  /** Stops what runs and closes the store, if it was opened. */
  close(): Promise<void>;
}

/**
 * Registers what VS Code looks for as soon as the extension is active; everything behind it is loaded on first use. The
 * chat's page is available at once, so that it loads while the rest does.
 */
export function activateWith(context: vscode.ExtensionContext, load: () => Promise<Start>): Activated {
  const log = vscode.window.createOutputChannel('Offshoot', { log: true });
  const page = new ChatPage(context.extensionUri);
  const whole = new Lazy(log, async () => (await load())(context, log, page));
  context.subscriptions.push(
    whole,
    page,
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, page),
    page.onDidOpen(() => whole.within(SENT_MS)),
    registerCommands(context.extension, async (name, args) => {
      await (await whole.get()).commands.run(name, args);
    }),
    // A link names a place and no command: this command reads it and shows the place.
    vscode.window.registerUriHandler({
      handleUri: async (uri) => (await whole.get()).commands.run('openLink', [uri.toString()]),
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
