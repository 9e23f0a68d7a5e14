import * as vscode from 'vscode';
import { notify } from '../ui/notifications.ts';
import { together, type CommandHandlers } from '../commands/commandHandlers.ts';
import { selectToolsCommands } from './selectToolsCommands.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import { chatMode, type ChatMode } from '../../agent/run/chatMode.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import { modeText, type SelectedMode } from './selectedMode.ts';

/** Commands that set what models may do, and revoke permanent permissions of tools. */
export function toolsCommands(
  deps: Parameters<typeof selectToolsCommands>[0] & {
    readonly approvals: Approvals;
    readonly mode: SelectedMode;
  },
): CommandHandlers<'resetApprovals' | 'selectMode' | 'selectTools'> {
  return together(selectModeCommands(deps.mode), selectToolsCommands(deps), resetCommands(deps.approvals));
}

function resetCommands(approvals: Approvals): CommandHandlers<'resetApprovals'> {
  return {
    resetApprovals: async () => {
      await approvals.reset();
      void notify.information(
        vscode.l10n.t('Tools ask again before they write files or use other programs.'),
      );
    },
  };
}

interface ModeRow extends PickRow {
  readonly mode: ChatMode;
}

/** The icon of each mode, here and at the input. */
const icons: Readonly<Record<ChatMode, string>> = { agent: 'tools', plan: 'checklist', ask: 'comment' };

/** Asks what models may do from the next question on. */
function selectModeCommands(mode: SelectedMode): CommandHandlers<'selectMode'> {
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
