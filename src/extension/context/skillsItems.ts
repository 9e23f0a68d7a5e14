import * as vscode from 'vscode';
import type { Skill, UnusedSkillReason } from '../../agent/skills/findSkills.ts';
import type { SkillScope } from '../../agent/skills/skillPlaces.ts';
import { listedSkills } from '../../agent/skills/skillsFragments.ts';
import { oneLine, shownName } from '../ui/shownName.ts';
import { tooltip } from '../ui/tooltip.ts';
import type { NodeOf } from './contextNodes.ts';
import { problemText } from './promptProblem.ts';

const { None } = vscode.TreeItemCollapsibleState;

/** How much of a reason a row shows, and of a description its tooltip, in characters. */
const REASON = 120;
const DESCRIPTION = 1_024;

export function skillItem(all: readonly Skill[], { skill }: NodeOf<'skill'>): vscode.TreeItem {
  const { description, invalid, name, scope, shown, unknown, uri } = skill;
  const use = useText(all, skill);
  const differs = [...invalid, ...unknown];
  const item = skillRow({ name, uri }, 'lightbulb', use ?? scopeText(scope));
  item.tooltip = tooltip(
    shownName(name),
    shownName(description, DESCRIPTION),
    `${scopeText(scope)} · ${shownName(shown, 300)}`,
    use ?? '',
    differs.length === 0
      ? ''
      : vscode.l10n.t('Doesn’t follow the specification: {0}', shownName(differs.join(', '), 300)),
  );
  return item;
}

export function unusedSkillItem({
  skill: { name, reason, shown, uri },
}: NodeOf<'unusedSkill'>): vscode.TreeItem {
  const text = reasonText(reason);
  const item = skillRow({ name, uri }, 'circle-slash', text);
  item.tooltip = tooltip(shownName(name), shownName(shown, 300), text);
  item.accessibilityInformation = { label: [shownName(name), vscode.l10n.t('left out'), text].join(', ') };
  return item;
}

export function skillsNotReadItem({ count }: NodeOf<'skillsNotRead'>): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Folders not read: {0}', count), None);
  item.id = 'skills not read';
  item.iconPath = new vscode.ThemeIcon('warning');
  item.description = vscode.l10n.t('There are too many');
  return item;
}

function skillRow(
  { name, uri }: { readonly name: string; readonly uri: string },
  icon: string,
  text: string,
): vscode.TreeItem {
  const item = new vscode.TreeItem(shownName(name), None);
  item.id = `skill ${uri}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = oneLine(text, REASON);
  item.contextValue = 'skill';
  item.command = {
    command: 'vscode.open',
    title: vscode.l10n.t('Open'),
    arguments: [vscode.Uri.parse(uri, true)],
  };
  return item;
}

/** Undefined for a skill that the model is told of and the user can run. */
function useText(all: readonly Skill[], skill: Skill): string | undefined {
  const { isForModel, isForUser, name } = skill;
  if (!isForModel) {
    return isForUser
      ? vscode.l10n.t('Only as /{0}', shownName(name))
      : vscode.l10n.t('Turned off in its front matter');
  }
  if (listedSkills(all).leftOut.includes(skill))
    return vscode.l10n.t('The model is not told of it: there are too many');
  return isForUser ? undefined : vscode.l10n.t('Only for the model');
}

function scopeText(scope: SkillScope): string {
  switch (scope) {
    case 'project':
      return vscode.l10n.t('Of the project');
    case 'user':
      return vscode.l10n.t('Yours');
    case 'extension':
      return vscode.l10n.t('Of an extension');
  }
}

function reasonText(reason: UnusedSkillReason): string {
  return reason.kind === 'taken'
    ? vscode.l10n.t('{0} has the same name and is nearer', shownName(reason.by, 200))
    : vscode.l10n.t('Can’t be used: {0}', problemText(reason));
}
