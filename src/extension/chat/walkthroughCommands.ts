import * as vscode from 'vscode';
import { sampleTexts } from '../../conversation/sampleTexts.ts';
import type { ShownChat } from '../commands/shownChat.ts';
import { notify } from '../ui/notifications.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { CurrentChat } from '../commands/currentChat.ts';

const WALKTHROUGH = 'offshoot.offshoot#start';

/** The argument of the command for one more sample. */
const ANOTHER = 'another';

/** Commands to get started: a sample chat, and the walkthrough. */
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
