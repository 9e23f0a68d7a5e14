import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { chatOf } from '../commands/commandArguments.ts';
import type { CommandPart } from '../commands/commandHandlers.ts';
import type { PanelId } from '../manifest/ids.ts';
import type { TreeDrag } from '../tree/treeDrag.ts';
import type { ChatPage } from './chatPage.ts';
import type { ChatPanels } from './chatPanels.ts';
import { ChatSideBar } from './chatSideBar.ts';
import type { ChatContext } from './chatView.ts';

export interface RegisteredChat extends CommandPart<'openChatInEditor' | 'openChatInNewWindow'> {
  readonly sideBar: ChatSideBar;
  /** Loaded with the first tab. */
  readonly panels: () => Promise<ChatPanels>;
  readonly inUse: ShownChat;
  isShown(chatId: string): Promise<boolean>;
  /** Brings a chat to the front: its tab, or else the side bar with it. */
  show(chatId: string): Promise<void>;
}

export function registerChat(
  deps: ChatContext,
  page: ChatPage,
  treeDrag: Pick<TreeDrag, 'take' | 'onDidStart'>,
  loadPanels: () => Promise<{ readonly ChatPanels: typeof ChatPanels }>,
): RegisteredChat {
  const made = new DisposableStore();
  const sideBar = made.add(new ChatSideBar(deps, page, treeDrag));
  let existing: ChatPanels | undefined;
  const panels = async (): Promise<ChatPanels> => {
    const { ChatPanels } = await loadPanels();
    existing ??= made.add(new ChatPanels(deps, page.extensionUri, treeDrag));
    return existing;
  };
  const chatIdOf = async (argument: unknown): Promise<string> =>
    chatOf(argument)?.chatId ?? (await deps.current.chatId());
  made.add(
    vscode.window.registerWebviewPanelSerializer('offshoot.chat' satisfies PanelId, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        const closing = new AbortController();
        panel.onDidDispose(() => closing.abort());
        const restoring = await panels();
        // The panel may have been closed during loading.
        if (!closing.signal.aborted) restoring.restore(panel, state);
      },
    }),
  );
  return {
    sideBar,
    panels,
    inUse: chatInUse(
      () => existing?.inUse?.view ?? sideBar.chat,
      () => [sideBar.chat, ...(existing?.views ?? [])],
    ),
    isShown: async (chatId) => {
      if (existing?.find(chatId)?.panel.visible === true) return true;
      return sideBar.isVisible && (await deps.current.sideBar.chatId()) === chatId;
    },
    show: async (chatId) => {
      if (existing?.find(chatId)) {
        existing.show(chatId);
        return;
      }
      await deps.current.openInSideBar(chatId);
      await sideBar.chat.bringToFront();
    },
    handlers: {
      openChatInEditor: async (argument) => {
        const chatId = await chatIdOf(argument);
        (await panels()).show(chatId);
      },
      openChatInNewWindow: async (argument) => {
        const chatId = await chatIdOf(argument);
        await (await panels()).showInNewWindow(chatId);
      },
    },
    dispose: () => made.dispose(),
  };
}

/** The chat the user used last, looked for at each call: in the side bar, or in one of the tabs. */
function chatInUse(find: () => ShownChat, all: () => readonly ShownChat[]): ShownChat {
  return {
    bringToFront: () => find().bringToFront(),
    focus: (prefill) => find().focus(prefill),
    offerImage: (name, bytes) => find().offerImage(name, bytes),
    reveal: (messageId) => find().reveal(messageId),
    preview: (messageId) => find().preview(messageId),
    endPreview: () => find().endPreview(),
    endLookBack: async () => {
      for (const each of all()) await each.endLookBack();
    },
    stepQuestion: (direction) => find().stepQuestion(direction),
  };
}
