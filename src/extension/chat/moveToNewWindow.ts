import * as vscode from 'vscode';
import { DisposableStore } from '../../kit/disposableStore.ts';
import type { PanelId } from '../manifest/ids.ts';

/** The type of a tab. It is that of the view, whose menus of messages are the same. */
export const CHAT_PANEL = 'offshoot.chat' satisfies PanelId;

/**
 * Moves the tab of a chat, just shown, into a window of its own.
 * @param count how many tabs with chats there are
 */
export async function moveToNewWindow(panel: vscode.WebviewPanel, count: number): Promise<void> {
  // VS Code moves whichever editor is active; a tab is asked for long before it is.
  if (!(await isInFront(panel, count))) return;
  await vscode.commands.executeCommand('workbench.action.moveEditorToNewWindow');
}

/** Waits until it is the active editor. False when it was closed instead. */
function isInFront(panel: vscode.WebviewPanel, count: number): Promise<boolean> {
  const isThere = (): boolean =>
    panel.active &&
    isChat(vscode.window.tabGroups.activeTabGroup.activeTab) &&
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isChat)).length >= count;
  return new Promise((resolve) => {
    const subscriptions = new DisposableStore();
    const end = (isInFront: boolean): void => {
      subscriptions.dispose();
      resolve(isInFront);
    };
    const look = (): void => {
      if (isThere()) end(true);
    };
    subscriptions.addAll(
      vscode.window.tabGroups.onDidChangeTabs(look),
      vscode.window.tabGroups.onDidChangeTabGroups(look),
      panel.onDidChangeViewState(look),
      panel.onDidDispose(() => end(false)),
    );
    look();
  });
}

/** VS Code puts something of its own before the type of a panel. */
function isChat(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(CHAT_PANEL);
}
