import * as vscode from 'vscode';
import type { HooksProblem } from '../../agent/hooks/hook.ts';
import { commandLink } from '../manifest/runCommand.ts';
import { oneLine, shownName } from '../ui/shownName.ts';
import { tooltip } from '../ui/tooltip.ts';
import type { NodeOf } from './contextNodes.ts';
import type { ListedHooks } from './readHooks.ts';

const { None } = vscode.TreeItemCollapsibleState;

export function hooksItem({ hooks }: NodeOf<'hooks'>): vscode.TreeItem {
  const { file, state } = hooks;
  const item = new vscode.TreeItem(shownName(file.shown, 200), None);
  const text = hooksStateText(hooks);
  item.id = `hooks ${file.uri}`;
  item.iconPath = new vscode.ThemeIcon(
    file.problem !== undefined ? 'circle-slash' : state === 'allowed' ? 'pass' : 'shield',
  );
  item.description = oneLine(text, 120);
  item.contextValue = 'hooks';
  item.tooltip = tooltip(
    shownName(file.shown, 300),
    text,
    [...new Set(file.hooks.map(({ event }) => event))].join(vscode.l10n.t(', ')),
    file.unknown.length === 0
      ? ''
      : vscode.l10n.t('Not honoured: {0}', shownName(file.unknown.join(vscode.l10n.t(', ')), 300)),
    vscode.l10n.t('A hook can refuse, ask and add. What it allows is still asked for.'),
  );
  item.command = commandLink('offshoot.reviewHooks', vscode.l10n.t('Review Hooks…'), {
    kind: 'hooks',
    hooks,
  });
  return item;
}

export function hooksStateText({ file, state }: ListedHooks): string {
  if (file.problem !== undefined) return hooksProblemText(file.problem);
  if (file.hooks.length === 0) return vscode.l10n.t('Nothing in it is honoured');
  switch (state) {
    case 'allowed':
      return file.hooks.length === 1
        ? vscode.l10n.t('1 hook, allowed')
        : vscode.l10n.t('{0} hooks, allowed', file.hooks.length);
    case 'refused':
      return vscode.l10n.t('Off');
    case 'unseen':
      return vscode.l10n.t('Not run yet: review it');
  }
}

export function hooksProblemText(problem: HooksProblem): string {
  switch (problem) {
    case 'unreadable':
      return vscode.l10n.t('Can’t be used: it is too large, or no text');
    case 'not-json':
      return vscode.l10n.t('Can’t be used: it is no valid JSON');
    case 'turned-off':
      return vscode.l10n.t('Turned off in the file');
  }
}
