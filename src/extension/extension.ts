import * as vscode from 'vscode';
import { CHAT_VIEW, ChatPage } from './chat/chatPage.ts';
import { registerCommands } from './commands/registerCommands.ts';
import { registerInstructionsFiles } from './instructions/registerInstructionsFiles.ts';
import { registerReadingTools } from './mcp/registerReadingTools.ts';
import { Lazy } from './ui/lazy.ts';
import type { Offshoot } from './offshoot.ts';

/**
 * How long VS Code may take to ask for the page, in milliseconds. Where the extension was activated for something else,
 * the rest comes then: started before, it would keep the page waiting.
 */
const START_MS = 300;

/**
 * How long the page may take on its way to the screen, in milliseconds. Starting the rest would hold it up: with 20 ms the
 * page was there later, and the conversation on it no sooner.
 */
const SENT_MS = 120;

/** What the integration tests get to look inside; nobody else gets anything. */
export interface OffshootApi {
  start(): Promise<Offshoot>;
}

/** For `deactivate`, which VS Code calls without an argument and, unlike disposables, waits for. */
let offshoot: Lazy<Offshoot> | undefined;

/**
 * Registers what VS Code looks for as soon as the extension is active; all that stands behind it is loaded when it is
 * first asked for. The chat's page is there at once, so that it loads while the rest does.
 */
export function activate(context: vscode.ExtensionContext): OffshootApi | undefined {
  const log = vscode.window.createOutputChannel('Offshoot', { log: true });
  const page = new ChatPage(context.extensionUri);
  const whole = new Lazy(log, async () => {
    const { startOffshoot } = await import('./offshoot.ts');
    return startOffshoot(context, log, page);
  });
  offshoot = whole;
  context.subscriptions.push(
    whole,
    page,
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, page),
    page.onDidOpen(() => whole.within(SENT_MS)),
    registerCommands(context.extension, async (name, args) => {
      await (await whole.get()).commands.run(name, args);
    }),
    registerReadingTools(context.extension, async () => (await whole.get()).parts.mcp),
    registerInstructionsFiles(async () => (await whole.get()).instructions),
    log,
  );
  whole.within(START_MS);
  return context.extensionMode === vscode.ExtensionMode.Test ? { start: () => whole.get() } : undefined;
}

export async function deactivate(): Promise<void> {
  await offshoot?.existing?.parts.close();
}
