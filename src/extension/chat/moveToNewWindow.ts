import * as vscode from 'vscode';
import { DisposableStore } from '../../kit/disposableStore.ts';
import type { PanelId } from '../manifest/ids.ts';

/** The type of a tab: the same as the view's, because their message menus are the same. */
export const CHAT_PANEL = 'offshoot.chat' satisfies PanelId;

/**
 * Moves the tab of a chat, just shown, into its own window.
 * @param count how many tabs with chats there are
 */
export async function moveToNewWindow(panel: vscode.WebviewPanel, count: number): Promise<void> {
  // VS Code moves the active editor; a tab is requested long before it is active.
  if (!(await isInFront(panel, count))) return;
  await vscode.commands.executeCommand('workbench.action.moveEditorToNewWindow');
}

/** Waits until it is the active editor. False if it was closed instead. */
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

/** VS Code adds its own prefix to the type of a panel. */
function isChat(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(CHAT_PANEL);
}
