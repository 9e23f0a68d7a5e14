import * as vscode from 'vscode';
import { chatMode, type ChatMode } from '../../agent/chatMode.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import { modeText } from './modeText.ts';
import type { SelectedMode } from './selectedMode.ts';

export interface SelectModeDeps {
  readonly mode: SelectedMode;
}

interface ModeRow extends PickRow {
  readonly mode: ChatMode;
}

/** The icon of each mode, here and at the input. */
const icons: Readonly<Record<ChatMode, string>> = { agent: 'tools', plan: 'checklist', ask: 'comment' };

/** Asks what models may do from the next question on. */
export function selectModeCommands({ mode }: SelectModeDeps): CommandHandlers<'selectMode'> {
  return {
    selectMode: async () => {
      const rows = chatMode.options.map((each): ModeRow => {
        const { label, description } = modeText(each);
        return {
          mode: each,
          label,
          icon: icons[each],
          detail: description,
          ...(each === mode.current ? { description: vscode.l10n.t('current') } : {}),
        };
      });
      const picked = await pickOne(rows, {
        title: vscode.l10n.t('Select Mode'),
        placeHolder: vscode.l10n.t('Select what the model may do from the next question on'),
      });
      if (picked) await mode.select(picked.mode);
    },
  };
}
