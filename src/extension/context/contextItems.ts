import * as vscode from 'vscode';
import { INSTRUCTIONS } from './instructionsKept.ts';
import { messagesText, sizeText, tokensText } from '../ui/formats.ts';
import { oneLine, shownName } from '../ui/shownName.ts';
import { translated } from '../ui/failures.ts';
import { tooltip } from '../ui/tooltip.ts';
import {
  artifactsOf,
  instructionsFilesOf,
  statesOf,
  type ContextNode,
  type NodeOf,
  type Scope,
  type Section,
} from './contextNodes.ts';
import { instructionsFileItem, instructionsItem, unusedInstructionsItem } from './instructionsItems.ts';
import { ledgerItem } from './ledgerItems.ts';
import { hooksItem } from './hooksItems.ts';
import { memoryItem, unusedMemoryItem } from './memoryItems.ts';
import { skillItem, skillsNotReadItem, unusedSkillItem } from './skillsItems.ts';
import { shownCost } from './costText.ts';
import type { ContextNow } from './contextMeter.ts';
import { commandLink } from '../manifest/runCommand.ts';

/** How much of a text is quoted next to its name, in characters. */
const QUOTE = 100;
/** How much of it a tooltip shows. */
const TOOLTIP = 2_000;

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

export function contextItem(now: ContextNow, node: ContextNode): vscode.TreeItem {
  switch (node.kind) {
    case 'section':
      return sectionItem(now, node.section);
    case 'fragment':
      return fragmentItem(node);
    case 'message':
      return messageItem(node);
    case 'earlier': {
      const item = new vscode.TreeItem(vscode.l10n.t('{0} before', messagesText(node.count)), None);
      item.id = 'earlier';
      item.description = tokensText(node.tokens);
      item.iconPath = new vscode.ThemeIcon('ellipsis');
      return item;
    }
    case 'ledgerSection':
    case 'ledgerEntry':
      return ledgerItem(node);
    case 'leftOutTool':
      return leftOutItem(node);
    case 'state':
      return stateItem(node);
    case 'instructions':
      return instructionsItem(node);
    case 'instructionsFile':
      return instructionsFileItem(node);
    case 'unusedInstructions':
      return unusedInstructionsItem(node);
    case 'skill':
      return skillItem(now.skills.skills, node);
    case 'unusedSkill':
      return unusedSkillItem(node);
    case 'skillsNotRead':
      return skillsNotReadItem(node);
    case 'hooks':
      return hooksItem(node);
    case 'memory':
      return memoryItem(node);
    case 'unusedMemory':
      return unusedMemoryItem(node);
    case 'artifact':
      return artifactItem(node);
    case 'artifactVersion':
      return versionItem(node);
  }
}

function sectionItem(now: ContextNow, section: Section): vscode.TreeItem {
  const { label, icon, description, details } = sectionFace(now, section);
  // Sections that are needed most are expanded.
  const isOpen = section === 'state' || section === 'artifacts';
  const isLeaf = section === 'cost' || (section === 'tools' && now.tools.leftOut.length === 0);
  const item = new vscode.TreeItem(label, isLeaf ? None : isOpen ? Expanded : Collapsed);
  item.id = `section ${section}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = description;
  item.contextValue = section === 'tools' ? 'section tools' : 'section';
  if (details) item.tooltip = tooltip(...details);
  item.accessibilityInformation = { label: [label, ...(details ?? [description])].join(', ') };
  return item;
}

function sectionFace(
  now: ContextNow,
  section: Section,
): {
  readonly label: string;
  readonly icon: string;
  readonly description: string;
  readonly details?: readonly [string, ...string[]];
} {
  switch (section) {
    case 'prompt': {
      const tokens = now.system.reduce((sum, part) => sum + part.tokens, 0);
      return { label: vscode.l10n.t('System prompt'), icon: 'note', description: tokensText(tokens) };
    }
    case 'instructions': {
      const { chat, workspace } = now.instructions;
      const count =
        (chat.length > 0 ? 1 : 0) + (workspace.length > 0 ? 1 : 0) + instructionsFilesOf(now).length;
      return { label: vscode.l10n.t('Instructions'), icon: 'book', description: String(count) };
    }
    case 'skills': {
      const { skills, unused } = now.skills;
      const description =
        unused.length === 0
          ? String(skills.length)
          : `${skills.length} · ${vscode.l10n.t('{0} left out', unused.length)}`;
      return { label: vscode.l10n.t('Skills'), icon: 'lightbulb', description };
    }
    case 'hooks': {
      const allowed = now.hooks.filter(({ state }) => state === 'allowed').length;
      const description = vscode.l10n.t('{0} of {1} allowed', allowed, now.hooks.length);
      return { label: vscode.l10n.t('Hooks'), icon: 'shield', description };
    }
    case 'memory': {
      const count = now.memory.reduce((sum, { facts }) => sum + facts.length, 0);
      return { label: vscode.l10n.t('Memory'), icon: 'bookmark', description: String(count) };
    }
    case 'tools': {
      const { count, tokens, leftOut } = now.tools;
      const offered = vscode.l10n.t('{0} offered · {1}', count, tokensText(tokens));
      const description =
        leftOut.length === 0 ? offered : `${offered} · ${vscode.l10n.t('{0} left out', leftOut.length)}`;
      return { label: vscode.l10n.t('Tools'), icon: 'tools', description };
    }
    case 'messages': {
      const { messages, tokens } = now.path;
      const description = `${messagesText(messages.length)} · ${tokensText(tokens)}`;
      return { label: vscode.l10n.t('Messages'), icon: 'comment-discussion', description };
    }
    case 'ledger': {
      const details = vscode.l10n.t(
        'Kept word for word from messages that the model is not sent, and sent with the summary.',
      );
      const description = tokensText(now.path.ledger?.tokens ?? 0);
      return {
        label: vscode.l10n.t('Ledger'),
        icon: 'checklist',
        description,
        details: [description, details],
      };
    }
    case 'nextLedger': {
      const description = vscode.l10n.t('preview');
      const details = vscode.l10n.t(
        'What the ledger would hold if everything before the last question were summarized now.',
      );
      return {
        label: vscode.l10n.t('Ledger after the next summary'),
        icon: 'eye',
        description,
        details: [description, details],
      };
    }
    case 'cost': {
      const { short = '', lines = [''] as const } = shownCost(now) ?? {};
      return { label: vscode.l10n.t('Cost'), icon: 'credit-card', description: short, details: lines };
    }
    case 'state':
      return {
        label: vscode.l10n.t('State'),
        icon: 'symbol-key',
        description: String(statesOf(now).length),
      };
    case 'artifacts':
      return {
        label: vscode.l10n.t('Artifacts'),
        icon: 'package',
        description: String(artifactsOf(now).length),
      };
  }
}

function fragmentItem({ index, part: { fragment, text, tokens } }: NodeOf<'fragment'>): vscode.TreeItem {
  const item = new vscode.TreeItem(shownName(fragment.name), None);
  item.id = `fragment ${index}`;
  item.iconPath = new vscode.ThemeIcon('symbol-string');
  const words = text.replaceAll(/<[^>]*>/gu, ' ');
  item.description = `${tokensText(tokens)} · ${oneLine(words, QUOTE)}`;
  item.tooltip = tooltip(shownName(fragment.name), text.slice(0, TOOLTIP));
  item.contextValue = 'fragment';
  item.command = commandLink('offshoot.inspectContext', vscode.l10n.t('Inspect Context'));
  return item;
}

function messageItem({ message }: NodeOf<'message'>): vscode.TreeItem {
  const { id, name, beginning, tokens, files, pages, isNotice } = message;
  const icon = isNotice ? 'note' : name === 'user' ? 'account' : 'sparkle';
  const text = oneLine(beginning, QUOTE);
  const item = new vscode.TreeItem(text === '' ? vscode.l10n.t('(no text)') : text, None);
  item.id = `message ${id}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = [
    tokensText(tokens),
    ...(pages > 0 ? [vscode.l10n.t('{0} pages of PDFs', pages)] : []),
    ...(files > 0 ? [vscode.l10n.t('{0} attached, not counted', files)] : []),
  ].join(' · ');
  item.contextValue = 'message';
  item.command = commandLink('offshoot.showMessage', vscode.l10n.t('Show in the Chat'), { messageId: id });
  return item;
}

function leftOutItem({ index, tool: { name, reason } }: NodeOf<'leftOutTool'>): vscode.TreeItem {
  const item = new vscode.TreeItem(shownName(name), None);
  const text = translated(reason);
  // Several may have the same name, which may be why they are listed here.
  item.id = `left out ${index} ${name}`;
  item.iconPath = new vscode.ThemeIcon('circle-slash');
  item.tooltip = tooltip(shownName(name), text);
  item.description = oneLine(text, QUOTE);
  item.accessibilityInformation = { label: [shownName(name), vscode.l10n.t('left out'), text].join(', ') };
  return item;
}

function stateItem(node: NodeOf<'state'>): vscode.TreeItem {
  const { key, scope, value } = node;
  const text = JSON.stringify(value);
  const item = new vscode.TreeItem(shownName(key), None);
  item.id = `state ${key}`;
  item.iconPath = scopeIcon(scope, 'symbol-field');
  item.description = oneLine(text, QUOTE);
  item.tooltip = tooltip(shownName(key), scopeText(scope), text.slice(0, TOOLTIP));
  item.contextValue = 'state';
  item.accessibilityInformation = {
    label: [shownName(key), scopeText(scope), oneLine(text, QUOTE)].join(', '),
  };
  item.command = commandLink('offshoot.openState', vscode.l10n.t('Open'), node);
  return item;
}

function artifactItem(node: NodeOf<'artifact'>): vscode.TreeItem {
  const { name, scope, versions } = node;
  const newest = versions.at(-1);
  const item = new vscode.TreeItem(shownName(name), versions.length > 1 ? Collapsed : None);
  item.id = `artifact ${name} ${versions.length > 1 ? 'many' : 'one'}`;
  item.iconPath = scopeIcon(scope, newest?.mediaType.startsWith('image/') === true ? 'file-media' : 'file');
  item.contextValue = versions.length > 1 ? 'artifact many' : 'artifact';
  if (newest) {
    const parts = [
      vscode.l10n.t('version {0}', newest.version),
      sizeText(newest.size),
      shownName(newest.mediaType),
    ];
    item.description = parts.join(' · ');
    item.tooltip = tooltip(shownName(name, 300), scopeText(scope), item.description);
    item.accessibilityInformation = {
      label: [vscode.l10n.t('Artifact {0}', shownName(name)), scopeText(scope), ...parts].join(', '),
    };
  }
  item.command = commandLink('offshoot.openArtifact', vscode.l10n.t('Open'), node);
  return item;
}

function versionItem(node: NodeOf<'artifactVersion'>): vscode.TreeItem {
  const { name, version, isNewest } = node;
  const item = new vscode.TreeItem(vscode.l10n.t('Version {0}', version.version), None);
  item.id = `artifact version ${version.version} of ${name}`;
  item.iconPath = new vscode.ThemeIcon('history');
  item.description = [
    ...(isNewest ? [vscode.l10n.t('in force')] : []),
    sizeText(version.size),
    shownName(version.mediaType),
  ].join(' · ');
  const isInstructions = name.startsWith(INSTRUCTIONS);
  item.contextValue = isInstructions && !isNewest ? 'artifactVersion instructions' : 'artifactVersion';
  item.command = commandLink('offshoot.openArtifact', vscode.l10n.t('Open'), node);
  return item;
}

/** Values that are not rewound with the conversation look different. */
function scopeIcon(scope: Scope, path: string): vscode.ThemeIcon {
  if (scope === 'user') return new vscode.ThemeIcon('account');
  return new vscode.ThemeIcon(scope === 'app' ? 'globe' : path);
}

function scopeText(scope: Scope): string {
  switch (scope) {
    case 'path':
      return vscode.l10n.t('Belongs to this branch. Rewinding and switching restore its value.');
    case 'user':
      return vscode.l10n.t('Yours in all chats: it is not rewound.');
    case 'app':
      return vscode.l10n.t('Of all chats: it is not rewound.');
  }
}
