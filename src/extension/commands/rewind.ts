import * as vscode from 'vscode';
import { readUIMessage, textOf } from '../../engine/uiMessage.ts';
import type { ChatView } from '../chat/chatView.ts';
import type { Move } from '../conversations.ts';
import type { Services } from '../services.ts';
import { messageIdOf } from './arguments.ts';
import { oneLine } from '../oneLine.ts';
import { registerCommands } from './register.ts';

/** Going back to a message: to go on from it, to ask it differently, or to have it answered again. */
export function registerRewindCommands(services: Services, chat: ChatView): vscode.Disposable {
  const { conversations, log } = services;
  const rewindTo = async (messageId: string): Promise<void> => {
    const move = await conversations.rewind(messageId);
    await chat.focus();
    offerWayBack(services, move);
  };
  return registerCommands(log, {
    rewind: async () => {
      const messageId = await pickMessage(services, vscode.l10n.t('Rewind to which message?'));
      if (messageId !== undefined) await rewindTo(messageId);
    },
    rewindToHere: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId !== undefined) await rewindTo(messageId);
    },
    editAndBranch: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId === undefined) return;
      const move = await conversations.rewindToEdit(messageId);
      await chat.focus({ text: move.text });
      offerWayBack(services, move);
    },
    regenerate: async (argument) => {
      const messageId = messageIdOf(argument) ?? (await conversations.path()).at(-1)?.id;
      if (messageId !== undefined) await conversations.regenerate(messageId);
    },
  });
}

/** Says where one is now, and offers to go back. Nothing waits for the answer. */
export function offerWayBack({ conversations, log }: Services, { chatId, from, to }: Move): void {
  const goBack = vscode.l10n.t('Go Back');
  const text = vscode.l10n.t('You are on branch {0} now. {1} is as it was.', to.name, from);
  const ask = async (): Promise<void> => {
    if ((await vscode.window.showInformationMessage(text, goBack)) === goBack) {
      await conversations.switchBranch(from, chatId);
    }
  };
  ask().catch((error: unknown) => log.error(error instanceof Error ? error : String(error)));
}

async function pickMessage({ conversations }: Services, title: string): Promise<string | undefined> {
  const path = await conversations.path();
  const items = path.toReversed().flatMap((message) => {
    const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
    if (!read) return [];
    const icon = read.role === 'user' ? '$(account)' : '$(sparkle)';
    const text = oneLine(textOf(read), 100);
    return [
      {
        label: `${icon} ${text === '' ? vscode.l10n.t('(no text)') : text}`,
        description: new Date(message.createdAt).toLocaleTimeString(),
        messageId: message.id,
      },
    ];
  });
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return picked?.messageId;
}
