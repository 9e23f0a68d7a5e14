import * as vscode from 'vscode';
import { z } from 'zod';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { TreeDrag } from '../tree/treeDrag.ts';
import { createPanel } from '../ui/tabs.ts';
import { ChatPanel } from './chatPanel.ts';
import type { ChatContext, ChatView } from './chatView.ts';
import type { PanelId } from '../manifest/ids.ts';

/** The state the page keeps, so that it can be restored after the window was reloaded. */
const stateSchema = z.object({ chatId: z.string().min(1).max(1_000) });

/** One tab for each chat, in editors and windows of their own. */
export class ChatPanels implements Disposable {
  private readonly open = new Set<ChatPanel>();
  private readonly subscriptions = new DisposableStore();

  constructor(
    private readonly deps: ChatContext,
    private readonly extensionUri: vscode.Uri,
    private readonly treeDrag: Pick<TreeDrag, 'take' | 'onDidStart'>,
  ) {
    this.subscriptions.add(
      deps.current.onDidLeave((chatId) => {
        this.find(chatId)?.panel.dispose();
      }),
    );
  }

  /** The tab that the user is in; undefined if they are in the side bar. */
  get inUse(): ChatPanel | undefined {
    const { tabInUse } = this.deps.current;
    return [...this.open].find((each) => each === tabInUse);
  }

  get views(): readonly ChatView[] {
    return Array.from(this.open, ({ view }) => view);
  }

  find(chatId: string): ChatPanel | undefined {
    return [...this.open].find((each) => each.chatId === chatId);
  }

  show(chatId: string): ChatPanel {
    const known = this.find(chatId);
    if (known) known.panel.reveal();
    const shown = known ?? this.fill(createPanel(CHAT_PANEL, vscode.l10n.t('New chat')), chatId);
    this.deps.current.use(shown);
    return shown;
  }

  async showInNewWindow(chatId: string): Promise<void> {
    await moveToNewWindow(this.show(chatId).panel, this.open.size);
  }

  /** Restores a tab that was open before the window was reloaded; closes it if its state is unknown. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const read = stateSchema.safeParse(state);
    if (read.success && !this.find(read.data.chatId)) this.fill(panel, read.data.chatId);
    else panel.dispose();
  }

  dispose(): void {
    this.subscriptions.dispose();
    for (const { panel } of this.open) panel.dispose();
  }

  private fill(panel: vscode.WebviewPanel, chatId: string): ChatPanel {
    const shown = new ChatPanel(this.deps, chatId, panel, this.extensionUri, this.treeDrag);
    this.open.add(shown);
    panel.onDidDispose(() => {
      this.open.delete(shown);
      shown.dispose();
    });
    return shown;
  }
}

/** The type of a tab: the same as the view's, because their message menus are the same. */
const CHAT_PANEL = 'offshoot.chat' satisfies PanelId;

/** @param count how many tabs with chats there are */
async function moveToNewWindow(panel: vscode.WebviewPanel, count: number): Promise<void> {
  // VS Code moves the active editor; a tab is requested long before it is active.
  if (!(await isInFront(panel, count))) return;
  await vscode.commands.executeCommand('workbench.action.moveEditorToNewWindow');
}

/** False if it was closed instead. */
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
