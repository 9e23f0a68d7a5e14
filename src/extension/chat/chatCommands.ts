import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { ShownChat, CurrentChat } from '../commands/currentChat.ts';
import * as vscode from 'vscode';
import { messageRows, pickMessageRow } from '../commands/pickMessage.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import { askText } from '../ui/inputBox.ts';
import { sampleTexts } from '../../conversation/sampleTexts.ts';
import { notify } from '../ui/notifications.ts';
import { runCommand } from '../manifest/runCommand.ts';

export function chatCommands(
  { conversations, log }: { readonly conversations: Conversations; readonly log: vscode.LogOutputChannel },
  chat: ShownChat,
): CommandHandlers<
  'goToMessage' | 'previousQuestion' | 'nextQuestion' | 'btw' | 'stop' | 'focusChat' | 'showLog'
> {
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
    btw: async () => {
      const question = await askText({
        title: vscode.l10n.t('By the Way'),
        prompt: vscode.l10n.t(
          'A side question, answered on a separate branch while the conversation continues.',
        ),
        placeHolder: vscode.l10n.t('Ask a side question'),
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

const WALKTHROUGH = 'offshoot.offshoot#start';

/** The argument of the command for one more sample. */
const ANOTHER = 'another';

export function walkthroughCommands(
  { conversations, current }: { readonly conversations: Conversations; readonly current: CurrentChat },
  chat: ShownChat,
): CommandHandlers<'openSampleChat' | 'openWalkthrough'> {
  const open = async (chatId: string): Promise<void> => {
    await current.open(chatId);
    await chat.focus();
  };
  const make = (): Promise<string> =>
    conversations.makeSampleChat(sampleTexts((text) => vscode.l10n.t(text)));
  // Pressing the button twice creates one sample.
  let making: Promise<string> | undefined;
  const makeOnce = (): Promise<string> => (making ??= make().finally(() => (making = undefined)));
  return {
    openSampleChat: async (argument) => {
      const known = making || argument === ANOTHER ? undefined : await conversations.findSampleChat();
      await open(known ?? (await makeOnce()));
      if (known === undefined) return;
      const another = vscode.l10n.t('Make Another');
      const text = vscode.l10n.t('This is the sample chat you already have, with what you changed in it.');
      void notify.information(text, another).then(async (answer) => {
        if (answer === another) await runCommand('offshoot.openSampleChat', ANOTHER);
      });
    },
    openWalkthrough: async () => {
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH, false);
    },
  };
}
