import * as vscode from 'vscode';
import type { ShownChat } from '../chats/shownChat.ts';
import { messageRows, pickMessageRow } from '../chats/pickMessageRow.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Conversations } from '../../conversation/conversations.ts';

export interface GoToCommandsDeps {
  readonly conversations: Conversations;
}

/** Commands that go to a message of the active branch: by its text or number, or from question to question. */
export function goToCommands(
  deps: GoToCommandsDeps,
  chat: ShownChat,
): CommandHandlers<'goToMessage' | 'previousQuestion' | 'nextQuestion'> {
  return {
    goToMessage: async () => {
      const messageId = await pickMessageRow(
        messageRows(await deps.conversations.path()),
        {
          title: vscode.l10n.t('Go to Message'),
          placeholder: vscode.l10n.t('Words of the message, or its number'),
        },
        chat,
      );
      if (messageId !== undefined) await chat.reveal(messageId);
    },
    previousQuestion: () => chat.stepQuestion('previous'),
    nextQuestion: () => chat.stepQuestion('next'),
  };
}
