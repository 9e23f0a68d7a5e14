import * as vscode from 'vscode';
import { notify } from '../ui/notifications.ts';
import { together, type CommandHandlers } from '../commands/commandHandlers.ts';
import { selectToolsCommands, type SelectToolsDeps } from './selectToolsCommands.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import { chatMode, type ChatMode } from '../../agent/chatMode.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import { modeText, type SelectedMode } from './selectedMode.ts';

export interface ToolsCommandsDeps extends SelectModeDeps, SelectToolsDeps {
  readonly approvals: Approvals;
}

/** Commands that set what models may do, and revoke permanent permissions of tools. */
export function toolsCommands(
  deps: ToolsCommandsDeps,
): CommandHandlers<'resetApprovals' | 'selectMode' | 'selectTools'> {
  return together(selectModeCommands(deps), selectToolsCommands(deps), resetCommands(deps));
}

function resetCommands({
  approvals,
}: Pick<ToolsCommandsDeps, 'approvals'>): CommandHandlers<'resetApprovals'> {
  return {
    resetApprovals: async () => {
      await approvals.reset();
      void notify.information(
        vscode.l10n.t('Tools ask again before they write files or use other programs.'),
      );
    },
  };
}

interface SelectModeDeps {
  readonly mode: SelectedMode;
}

interface ModeRow extends PickRow {
  readonly mode: ChatMode;
}

/** The icon of each mode, here and at the input. */
const icons: Readonly<Record<ChatMode, string>> = { agent: 'tools', plan: 'checklist', ask: 'comment' };

/** Asks what models may do from the next question on. */
function selectModeCommands({ mode }: SelectModeDeps): CommandHandlers<'selectMode'> {
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
