import * as vscode from 'vscode';
import { compareHeads, ownPath, type Comparison, type FileDifference } from '../../engine/comparison.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { messagesText } from '../ui/formats.ts';
import { messageExcerpt } from '../commands/messageExcerpt.ts';
import { shownName } from '../ui/shownName.ts';
import { uriOf } from '../files/openEditors.ts';
import { shownLocation } from '../files/openFolders.ts';
import { trueName } from '../files/trueName.ts';
import { PICTURE_SCHEME, versionUri } from '../files/versionUris.ts';
import { comparisonUri } from './comparisonDocuments.ts';
import { PickList, type PickRow } from '../ui/quickPick.ts';
import { openComparison, readAsMarkdown } from '../ui/tabs.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { BranchNotFoundError, MessageNotFoundError } from '../../engine/errors.ts';
import { costOf, priceOf } from './branchCost.ts';
import type { BranchLabels } from './branchLabels.ts';

/** How much of the message where the points diverge is quoted, in characters. */
const QUOTE_LENGTH = 40;

interface Pair {
  readonly title: string;
  /** The heading for what is compared. */
  readonly name: string;
  readonly left: vscode.Uri;
  readonly right: vscode.Uri;
  /** Both sides are conversations, written as Markdown. */
  readonly isConversation?: true;
}

interface DifferenceItem extends PickRow {
  /** The pairs to open; empty if there is nothing to see. */
  readonly pairs: readonly Pair[];
}

/** If only the messages differ, VS Code's comparison of those opens; else every difference is listed. */
export async function showComparison(
  store: ReadonlyStore,
  chatId: string,
  left: ComparedPoint,
  right: ComparedPoint,
): Promise<void> {
  const comparison = await compareHeads(store, chatId, left.headId, right.headId);
  const sides = await Promise.all(
    [left, right].map(({ headId }) => ownPath(store, chatId, comparison.ancestor?.id, headId)),
  );
  const items = itemsOf(chatId, left, right, comparison, {
    inTitle: costsText(sides.map(priceOf)),
    inList: costsText(sides.map(costOf)),
  });
  const [conversation] = items;
  if (!conversation) return;
  if (items.length === 1) {
    await openPairs(conversation.pairs, false);
    return;
  }
  await pickDifferences(`${left.name} ↔ ${right.name}`, placeholderFor(comparison), items);
}

function itemsOf(
  chatId: string,
  left: ComparedPoint,
  right: ComparedPoint,
  { ancestor, leftCount, rightCount, files, state, artifacts }: Comparison,
  costs: { readonly inTitle: string; readonly inList: string },
): DifferenceItem[] {
  const both = `${left.name} ↔ ${right.name}`;
  const textOfSide = ({ headId }: ComparedPoint): vscode.Uri =>
    comparisonUri({
      show: 'conversation',
      chatId,
      headId,
      ...(ancestor ? { ancestorId: ancestor.id } : {}),
    });
  const valueOfSide = ({ headId }: ComparedPoint, key: string): vscode.Uri =>
    comparisonUri({ show: 'state', chatId, headId, key });
  const sideText = (hasLeft: boolean, hasRight: boolean): string => {
    if (hasLeft && hasRight) return vscode.l10n.t('differs');
    return vscode.l10n.t('only on {0}', hasLeft ? left.name : right.name);
  };
  const item = (
    icon: string,
    label: string,
    description: string,
    pair: Omit<Pair, 'title' | 'name'> | undefined,
  ): DifferenceItem => ({
    icon,
    label,
    description,
    pairs: pair
      ? [{ ...pair, name: label, title: `${label} (${both}${pair.isConversation ? costs.inTitle : ''})` }]
      : [],
  });
  const heading = (label: string): DifferenceItem => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
    pairs: [],
  });
  const section = (label: string, of: readonly DifferenceItem[]): DifferenceItem[] =>
    of.length === 0 ? [] : [heading(label), ...of];
  const conversation = item(
    'comment-discussion',
    vscode.l10n.t('Conversation'),
    `${messagesText(leftCount)} ↔ ${messagesText(rightCount)}${costs.inList}`,
    { left: textOfSide(left), right: textOfSide(right), isConversation: true },
  );
  const differing = [
    ...section(
      vscode.l10n.t('Files'),
      files.map((file) => {
        const isKept = isComparable(file);
        const description = sideText(file.left !== null, file.right !== null);
        return item(
          isKept ? 'file' : 'warning',
          trueName(shownLocation(file)),
          isKept ? description : vscode.l10n.t('{0} (no version kept)', description),
          isKept
            ? {
                left: versionUri(file.path, file.left, uriOf(file)),
                right: versionUri(file.path, file.right, uriOf(file)),
              }
            : undefined,
        );
      }),
    ),
    ...section(
      vscode.l10n.t('State'),
      state.map(({ name, left: one, right: other }) =>
        item('symbol-variable', shownName(name), sideText(one !== undefined, other !== undefined), {
          left: valueOfSide(left, name),
          right: valueOfSide(right, name),
        }),
      ),
    ),
    ...section(
      vscode.l10n.t('Artifacts'),
      artifacts.map(({ name, left: one, right: other }) =>
        item('file-media', shownName(name), sideText(one !== undefined, other !== undefined), {
          left: versionUri(name, one ?? null),
          right: versionUri(name, other ?? null),
        }),
      ),
    ),
  ];
  if (differing.length === 0) return [conversation];
  const all = [conversation, ...differing].flatMap(({ pairs }) => pairs);
  return [
    conversation,
    ...differing,
    heading(''),
    { icon: 'diff-multiple', label: vscode.l10n.t('Open All'), description: String(all.length), pairs: all },
  ];
}

/** What the messages of each side took; '' if nothing is known of either. */
function costsText(costs: readonly string[]): string {
  if (costs.every((cost) => cost === '')) return '';
  return ` · ${costs.map((cost) => (cost === '' ? '–' : cost)).join(' ↔ ')}`;
}

function isComparable({ left, right }: FileDifference): boolean {
  return left?.isKept !== false && right?.isKept !== false;
}

function placeholderFor({ ancestor }: Comparison): string {
  if (!ancestor) return vscode.l10n.t('They have nothing in common');
  const read = ancestor.type === 'message' ? readUIMessage(ancestor.data) : undefined;
  const excerpt = read ? messageExcerpt(read, QUOTE_LENGTH) : '';
  return excerpt === ''
    ? vscode.l10n.t('What differs since they parted')
    : vscode.l10n.t('What differs since they parted after “{0}”', excerpt);
}

/** Lists differences until the user closes the list: each comparison opens behind it. */
async function pickDifferences(
  title: string,
  placeholder: string,
  items: readonly DifferenceItem[],
): Promise<void> {
  const picker = new PickList<DifferenceItem>({
    title,
    placeholder,
    matchOnDescription: true,
    // A comparison takes the focus.
    ignoreFocusOut: true,
  });
  picker.rows = items;
  try {
    await new Promise<void>((resolve, reject) => {
      picker.onDidAccept(() => {
        const pairs = picker.selectedRows[0]?.pairs ?? [];
        openPairs(pairs, true).catch(reject);
        // After all were opened, nothing is left to pick.
        if (pairs.length > 1) resolve();
      });
      picker.onDidHide(() => resolve());
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

function labelUri(name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: PICTURE_SCHEME, path: `/${name}` });
}

async function openPairs(pairs: readonly Pair[], preserveFocus: boolean): Promise<void> {
  const [only] = pairs;
  if (!only) return;
  for (const { left, right, isConversation } of pairs)
    if (isConversation) await Promise.all([left, right].map(readAsMarkdown));
  if (pairs.length > 1) {
    // The first is only the label of the pair.
    const resources = pairs.map(({ name, left, right }) => [labelUri(name), left, right]);
    await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Compare Branches'), resources);
    return;
  }
  const options: vscode.TextDocumentShowOptions = { preview: true, preserveFocus };
  await openComparison(only.left, only.right, only.title, options);
}

/** How much of a message is used as its name, in characters. */
const NAME_LENGTH = 40;

/** A message and the path to it; null: before the first. */
export interface ComparedPoint {
  readonly headId: string | null;
  /** Its label: the branch, or the text of the message. */
  readonly name: string;
}

/** @throws BranchNotFoundError */
export async function pointOfBranch(
  { labels, store }: { readonly labels: BranchLabels; readonly store: ReadonlyStore },
  chatId: string,
  name: string,
): Promise<ComparedPoint> {
  const branch = await store.getBranch(chatId, name);
  if (!branch) throw new BranchNotFoundError(name);
  return { headId: branch.headMessageId, name: await labels.label(chatId, name) };
}

/** Named after the branch that ends there, if any. @throws MessageNotFoundError */
export async function pointOfMessage(
  { labels, store }: Parameters<typeof pointOfBranch>[0],
  chatId: string,
  messageId: string,
): Promise<ComparedPoint> {
  const message = await store.getMessage(chatId, messageId);
  if (!message) throw new MessageNotFoundError(messageId);
  const branches = await store.listBranches(chatId, { includeArchived: true });
  const branch = branches.find(({ headMessageId }) => headMessageId === messageId);
  if (branch) return { headId: messageId, name: await labels.label(chatId, branch.name) };
  const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
  const excerpt = read ? messageExcerpt(read, NAME_LENGTH) : '';
  return { headId: messageId, name: excerpt === '' ? vscode.l10n.t('(no text)') : `“${excerpt}”` };
}
