import * as vscode from 'vscode';
import type { ChatView } from './chatView.ts';
import { askText } from '../ui/inputBox.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Conversations } from '../../conversation/conversations.ts';

export interface QuestionCommandsDeps {
  readonly conversations: Conversations;
  readonly log: vscode.LogOutputChannel;
}

/** Asking by the way, and stopping answers. */
export function questionCommands(
  { conversations, log }: QuestionCommandsDeps,
  chat: ChatView,
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
      await runCommand('offshoot.chat.focus');
    },
    stop: () => conversations.stopAll(),
    focusChat: () => chat.focus(),
    showLog: () => {
      log.show();
      return Promise.resolve();
    },
  };
}
