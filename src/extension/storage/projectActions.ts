import * as vscode from 'vscode';
import type { Conversations } from '../../conversation/conversations.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { DurableContextStore } from '../../store/durableContextStore.ts';
import type { ChatsOfUser } from '../commands/pickChat.ts';
import { notify } from '../ui/notifications.ts';
import type { OpenedProject } from './openProject.ts';
import type { RelatedChats } from './relatedChats.ts';

/** What commands about conversations of several projects take. */
export interface ProjectParts extends ChatsOfUser {
  readonly conversations: Conversations;
  readonly globalStorage: vscode.Uri;
  readonly host: Host;
  readonly log: vscode.LogOutputChannel;
  /** Opens any store of this machine, for writing. */
  readonly openStore: (store: string) => DurableContextStore;
  readonly project: OpenedProject;
  readonly related: RelatedChats;
}

/** Every part of the window starts again with the other store. */
export async function useStore({ projects }: OpenedProject, store: string, name: string): Promise<void> {
  await projects.use(store);
  void notify.information(vscode.l10n.t('The window reloads with the chats from “{0}”.', name));
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
}

export async function openInNewWindow(uri: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.parse(uri, true), {
    forceNewWindow: true,
  });
}
