import { together, type CommandHandlers, type NamesOf } from '../commands/commandHandlers.ts';
import type { ShownChat } from '../commands/shownChat.ts';
import * as vscode from 'vscode';
import { messageRows, pickMessageRow } from '../commands/pickMessage.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import { askText } from '../ui/inputBox.ts';

type ChatCommand = NamesOf<typeof goToCommands | typeof questionCommands>;

/** Commands on what the chat page shows. */
export function chatCommands(
  deps: Parameters<typeof questionCommands>[0],
  chat: ShownChat,
): CommandHandlers<ChatCommand> {
  return together(goToCommands(deps.conversations, chat), questionCommands(deps, chat));
}

/** Commands that go to a message of the active branch: by its text or number, or from question to question. */
function goToCommands(
  conversations: Conversations,
  chat: ShownChat,
): CommandHandlers<'goToMessage' | 'previousQuestion' | 'nextQuestion'> {
  return {
    goToMessage: async () => {
      const messageId = await pickMessageRow(
        messageRows(await conversations.path()),
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

/** Commands that ask side questions, and stop answers. */
function questionCommands(
  { conversations, log }: { readonly conversations: Conversations; readonly log: vscode.LogOutputChannel },
  chat: ShownChat,
): CommandHandlers<'btw' | 'stop' | 'focusChat' | 'showLog'> {
  return {
    btw: async () => {
      const question = await askText({
        title: vscode.l10n.t('By the Way'),
        prompt: vscode.l10n.t(
          'A side question, answered on a separate branch while the conversation continues.',
        ),
        placeHolder: vscode.l10n.t('What do you want to know by the way?'),
      });
      if (question === undefined || question.trim() === '') return;
      await conversations.askSideQuestion(question.trim());
      await chat.bringToFront();
    },
    stop: () => conversations.stopAll(),
    focusChat: () => chat.focus(),
    showLog: () => {
      log.show();
      return Promise.resolve();
    },
  };
}
