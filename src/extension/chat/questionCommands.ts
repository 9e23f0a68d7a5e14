import * as vscode from 'vscode';
import type { ShownChat } from '../chats/shownChat.ts';
import { askText } from '../ui/inputBox.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Conversations } from '../../conversation/conversations.ts';

export interface QuestionCommandsDeps {
  readonly conversations: Conversations;
  readonly log: vscode.LogOutputChannel;
}

/** Commands that ask side questions, and stop answers. */
export function questionCommands(
  { conversations, log }: QuestionCommandsDeps,
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
