import * as vscode from 'vscode';
import { commandLink } from '../manifest/runCommand.ts';
import { numberText } from '../ui/formats.ts';
import { oneLine } from '../ui/shownName.ts';
import { tooltip } from '../ui/tooltip.ts';
import type { LedgerNode, NodeOf, ShownLedgerSection } from './contextNodes.ts';

/** How much of an entry is quoted, and how much of it a tooltip shows, in characters. */
const QUOTE = 100;
const TOOLTIP = 2_000;

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

export function ledgerItem(node: LedgerNode): vscode.TreeItem {
  return node.kind === 'ledgerSection' ? sectionItem(node) : entryItem(node);
}

function sectionItem({ isNext, section }: NodeOf<'ledgerSection'>): vscode.TreeItem {
  const { kind, entries, leftOut } = section;
  const { label, icon } = ledgerFace(kind);
  const item = new vscode.TreeItem(label, Collapsed);
  item.id = `${ledgerId(isNext)} ${kind}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = [
    numberText(entries.length),
    ...(leftOut > 0 ? [vscode.l10n.t('{0} left out', leftOut)] : []),
  ].join(' · ');
  return item;
}

function entryItem({ isNext, of, index, text }: NodeOf<'ledgerEntry'>): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(text, QUOTE), None);
  item.id = `${ledgerId(isNext)} ${of} ${index}`;
  item.tooltip = tooltip(ledgerFace(of).label, text.slice(0, TOOLTIP));
  item.command = commandLink('offshoot.inspectContext', vscode.l10n.t('Inspect Context'));
  return item;
}

function ledgerId(isNext: boolean): string {
  return isNext ? 'next ledger' : 'ledger';
}

function ledgerFace(kind: ShownLedgerSection['kind']): { readonly label: string; readonly icon: string } {
  const l10n = vscode.l10n;
  switch (kind) {
    case 'kept':
      return { label: l10n.t('Messages kept always'), icon: 'pin' };
    case 'rule':
      return { label: l10n.t('Rules you set'), icon: 'law' };
    case 'todo':
      return { label: l10n.t('Open todos'), icon: 'checklist' };
    case 'checkpoint':
      return { label: l10n.t('Checkpoints and branches'), icon: 'bookmark' };
    case 'decision':
      return { label: l10n.t('Decisions'), icon: 'milestone' };
    case 'change':
      return { label: l10n.t('Files changed'), icon: 'edit' };
    case 'request':
      return { label: l10n.t('What you asked for'), icon: 'account' };
    case 'attempt':
      return { label: l10n.t('Failed attempts'), icon: 'error' };
    case 'read':
      return { label: l10n.t('Files read'), icon: 'file' };
  }
}
