import * as vscode from 'vscode';
import { BranchNotFoundError } from '../../engine/errors.ts';
import { readUIMessage, textOf } from '../../engine/uiMessage.ts';
import type { ChatView } from '../chat/chatView.ts';
import { logFailure, messageOf } from '../failures.ts';
import type { Move } from '../conversations.ts';
import type { Services } from '../services.ts';
import { branchOf, messageIdOf, type BranchArgument } from './arguments.ts';
import { oneLine } from '../oneLine.ts';
import { registerCommands } from './register.ts';

/** Going back to a message: to go on from it, to ask it differently, or to have it answered again. */
export function registerRewindCommands(services: Services, chat: ChatView): vscode.Disposable {
  const { conversations, store, current, log } = services;
  const rewindTo = async (messageId: string): Promise<void> => {
    const move = await conversations.rewind(messageId);
    await chat.focus();
    const said = oneLine(await conversations.textOf(messageId), 40);
    offerWayBack(services, move, vscode.l10n.t('Rewound to “{0}”.', said));
  };
  /** A branch's end may be in another chat than the current one. */
  const rewindToHead = async ({ chatId, name }: BranchArgument): Promise<void> => {
    const branch = await store.getBranch(chatId, name);
    if (typeof branch?.headMessageId !== 'string') throw new BranchNotFoundError(name);
    await current.open(chatId);
    await rewindTo(branch.headMessageId);
  };
  return registerCommands(log, {
    rewind: async () => {
      const messageId = await pickMessage(services, vscode.l10n.t('Rewind to which message?'));
      if (messageId !== undefined) await rewindTo(messageId);
    },
    rewindToHere: async (argument) => {
      const branch = branchOf(argument);
      if (branch) return rewindToHead(branch);
      const messageId = messageIdOf(argument);
      if (messageId !== undefined) await rewindTo(messageId);
    },
    editAndBranch: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId === undefined) return;
      const move = await conversations.rewindToEdit(messageId);
      await chat.focus({ text: move.text });
      offerWayBack(services, move, vscode.l10n.t('Your question is in the input again.'));
    },
    regenerate: async (argument) => {
      const messageId = messageIdOf(argument) ?? (await conversations.path()).at(-1)?.id;
      if (messageId !== undefined) await conversations.regenerate(messageId);
    },
  });
}

/** Says what was done and where the earlier path is, and offers to go back. Nothing waits for the answer. */
export function offerWayBack(
  { conversations, log }: Services,
  { chatId, from }: Move,
  whatWasDone: string,
): void {
  const goBack = vscode.l10n.t('Go Back');
  const text = `${whatWasDone} ${vscode.l10n.t('The earlier path stays on {0}.', from)}`;
  const ask = async (): Promise<void> => {
    if ((await vscode.window.showInformationMessage(text, goBack)) !== goBack) return;
    try {
      await conversations.switchBranch(from, chatId);
    } catch (error) {
      logFailure(log, 'Going back', error);
      await vscode.window.showErrorMessage(messageOf(error));
    }
  };
  void ask();
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
