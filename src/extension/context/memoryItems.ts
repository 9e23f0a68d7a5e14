import * as vscode from 'vscode';
import type { FoundFacts } from '../../agent/memory/findMemory.ts';
import { oneLine, shownName } from '../ui/shownName.ts';
import { tooltip } from '../ui/tooltip.ts';
import type { NodeOf } from './contextNodes.ts';
import { problemText } from './promptProblem.ts';

const { None } = vscode.TreeItemCollapsibleState;

/** How much of a fact a row shows, and its tooltip, in characters. */
const LABEL = 120;
const TOOLTIP = 2_000;

export function memoryItem({ fact, index, isTold, scope, shown, uri }: NodeOf<'memory'>): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(fact, LABEL), None);
  const told = isTold ? '' : vscode.l10n.t('Left out: the memory is too long');
  item.id = `memory ${uri ?? 'branch'} ${index}`;
  item.iconPath = new vscode.ThemeIcon(isTold ? iconOf(scope) : 'circle-slash');
  item.description = isTold ? memoryScopeText(scope) : told;
  item.tooltip = tooltip(
    shownName(fact, TOOLTIP),
    shown === undefined ? memoryScopeText(scope) : `${memoryScopeText(scope)} · ${shownName(shown, 300)}`,
    told,
  );
  item.contextValue = 'memory';
  item.accessibilityInformation = {
    label: [shownName(fact, TOOLTIP), memoryScopeText(scope), ...(isTold ? [] : [told])].join(', '),
  };
  if (uri !== undefined) item.command = openingOf(uri);
  return item;
}

export function unusedMemoryItem({ problem, shown, uri }: NodeOf<'unusedMemory'>): vscode.TreeItem {
  const text = vscode.l10n.t('Can’t be used: {0}', problemText(problem));
  const item = new vscode.TreeItem(shownName(shown, 300), None);
  item.id = `memory ${uri}`;
  item.iconPath = new vscode.ThemeIcon('circle-slash');
  item.description = oneLine(text, LABEL);
  item.tooltip = tooltip(shownName(shown, 300), text);
  item.command = openingOf(uri);
  return item;
}

export function memoryScopeText(scope: FoundFacts['scope']): string {
  switch (scope) {
    case 'project':
      return vscode.l10n.t('Of the project');
    case 'user':
      return vscode.l10n.t('Yours');
    case 'branch':
      return vscode.l10n.t('On this branch');
  }
}

function iconOf(scope: FoundFacts['scope']): string {
  switch (scope) {
    case 'project':
      return 'folder';
    case 'user':
      return 'account';
    case 'branch':
      return 'git-branch';
  }
}

function openingOf(uri: string): vscode.Command {
  return {
    command: 'vscode.open',
    title: vscode.l10n.t('Open'),
    arguments: [vscode.Uri.parse(uri, true)],
  };
}
