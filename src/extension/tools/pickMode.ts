import * as vscode from 'vscode';
import { chatMode, type ChatMode } from '../../agent/run/chatMode.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import type { NoSandboxReason } from '../../host/sandbox.ts';
import { modeText, type SelectedMode } from './selectedMode.ts';

interface ModeRow extends PickRow {
  readonly select?: () => Promise<void>;
}

/** The same ones as at the input. */
const icons: Readonly<Record<ChatMode, string>> = { agent: 'tools', plan: 'checklist', ask: 'comment' };

/** Applies from the next question on; what is set for commands, from the next command on. */
export async function pickMode(mode: SelectedMode): Promise<void> {
  const rows = chatMode.options.map((each): ModeRow => {
    const { label, description } = modeText(each);
    return {
      select: () => mode.select(each),
      label,
      icon: icons[each],
      detail: description,
      ...(each === mode.current ? { description: vscode.l10n.t('current') } : {}),
    };
  });
  const heading = { label: vscode.l10n.t('Commands'), kind: vscode.QuickPickItemKind.Separator };
  const withSandbox = async (): Promise<ModeRow[]> => [...rows, heading, await sandboxRow(mode)];
  const picked = await pickOne(withSandbox(), {
    title: vscode.l10n.t('Select Mode'),
    placeHolder: vscode.l10n.t('Select what the model may do from the next question on'),
  });
  await picked?.select?.();
}

/** Where there is no sandbox, it says why, and sets nothing. */
async function sandboxRow(mode: SelectedMode): Promise<ModeRow> {
  const label = vscode.l10n.t('Run in Sandbox Without Asking');
  const reason = await mode.whyNoSandbox();
  if (reason !== undefined) return { label, icon: 'circle-slash', detail: noSandboxText(reason) };
  return {
    label,
    icon: mode.isUnasked ? 'check' : 'shield',
    detail: vscode.l10n.t(
      'Commands write only in the workspace, without its protected files, and reach only allowed hosts',
    ),
    ...(mode.isUnasked ? { description: vscode.l10n.t('turned on') } : {}),
    select: () => mode.setUnasked(!mode.isUnasked),
  };
}

function noSandboxText(reason: NoSandboxReason): string {
  switch (reason) {
    case 'system':
      return vscode.l10n.t('Not available on this system. You are asked before commands run.');
    case 'program':
      return vscode.l10n.t(
        'Install bubblewrap and reload the window. Until then, you are asked before commands run.',
      );
    case 'refused':
      return vscode.l10n.t('This system doesn’t allow sandboxes. You are asked before commands run.');
  }
}
