import * as vscode from 'vscode';
import type { BranchData } from '../../engine/graph.ts';
import { readUIMessage, textOf } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import { messageExcerpt } from '../commands/messageExcerpt.ts';
import { timeAgo, numberText } from '../ui/formats.ts';
import { branchOf, messageIdOf } from '../commands/commandArguments.ts';
import { offerMemory } from './carryMemory.ts';
import { pickBranch } from './pickBranchOrCheckpoint.ts';
import { notifyWithUndo, type UndoContext } from '../files/restoreNotifications.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne } from '../ui/quickPick.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { CommandPart } from '../commands/commandHandlers.ts';
import type { BranchLabels } from './branchLabels.ts';
import type { ModelRegistry } from '../../models/modelRegistry.ts';
import { DraftDocuments, type ProposedText } from '../ui/draftDocuments.ts';
import { shownName } from '../ui/shownName.ts';
import { withinBudget } from '../models/beyondBudget.ts';
import type { CapContext } from '../models/raiseCap.ts';
import type { Writing } from '../../conversation/summaries.ts';
import { withProgress } from '../ui/progress.ts';

interface Way {
  readonly source: BranchData;
  readonly target: BranchData;
  /** The message the command was called on. */
  readonly messageId?: string;
}

export function mergeSummaryCommands(
  deps: CapContext &
    UndoContext &
    Parameters<typeof offerMemory>[0] &
    Parameters<typeof pickBranch>[0] & { readonly models: ModelRegistry },
): CommandPart<'bringBack' | 'takeSummary' | 'cherryPick'> {
  const { conversations, labels } = deps;
  const drafts = createSummaryDrafts();
  const take = async (argument: unknown): Promise<void> => {
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    const draft = uri && drafts.get(uri);
    if (!draft) return;
    const text = draft.document.getText().trim();
    if (text === '') {
      void notify.information(vscode.l10n.t('Write a summary first.'));
      return;
    }
    const summaries = await conversations.summaries();
    const move = await summaries.merge(draft.source, draft.target, {
      text,
      model: draft.model,
      isEdited: text !== draft.proposed,
    });
    await drafts.close(draft);
    const done = vscode.l10n.t('Merged a summary from {0}.', await labelOf(labels, draft.source));
    notifyWithUndo(deps, { move, restored: undefined, leftAlone: 0 }, done);
    await offerMemory(deps, draft.source, move.to.name);
  };
  return {
    dispose: () => drafts.dispose(),
    handlers: {
      bringBack: async (argument) => {
        const way = await askWay(deps, argument, {
          from: vscode.l10n.t('Select a branch to merge from'),
          to: vscode.l10n.t('Select a branch to merge into'),
        });
        if (!way) return;
        const proposed = await propose(deps, way);
        if (!proposed) return;
        const proposal = { ...way, ...proposed };
        const document = await drafts.open(proposal, await titleOfDraft(labels, proposal));
        const accept = vscode.l10n.t('Add to This Branch');
        const text = vscode.l10n.t(
          'Edit the summary, then add it to {0}.',
          await labelOf(labels, way.target),
        );
        // Does not wait for the answer: the button over the editor does the same.
        void notify.information(text, accept).then((answer) => {
          if (answer === accept) void runCommand('offshoot.takeSummary', document.uri);
        });
      },
      takeSummary: (argument) => take(argument),
      cherryPick: async (argument) => {
        const way = await askWay(deps, argument, {
          from: vscode.l10n.t('Select a branch to cherry-pick from'),
          to: vscode.l10n.t('Select a branch to copy the question and its answer to'),
        });
        if (!way) return;
        const questionId = await askQuestion(deps, way);
        if (questionId === undefined) return;
        const summaries = await conversations.summaries();
        const move = await summaries.cherryPick(way.source, questionId, way.target);
        const done = vscode.l10n.t(
          'A question and its answer were copied from {0}.',
          await labelOf(labels, way.source),
        );
        notifyWithUndo(deps, { move, restored: undefined, leftAlone: 0 }, done);
        await offerMemory(deps, way.source, move.to.name);
      },
    },
  };
}

/** On another branch: from there to the current one. On a message: from the current branch, up to there, to another. */
async function askWay(
  deps: Parameters<typeof mergeSummaryCommands>[0],
  argument: unknown,
  titles: { readonly from: string; readonly to: string },
): Promise<Way | undefined> {
  const { conversations, current } = deps;
  const summaries = await conversations.summaries();
  const named = branchOf(argument);
  if (named && named.chatId !== (await current.chatId())) await current.open(named.chatId);
  const active = await summaries.active();
  const messageId = messageIdOf(argument);
  if (messageId !== undefined || named?.name === active.name) {
    const name = await pickBranch(deps, titles.to, { active: false });
    if (name === undefined) return undefined;
    const target = await summaries.named(active.chatId, name);
    return messageId === undefined
      ? { source: active, target }
      : { source: { ...active, headMessageId: messageId }, target, messageId };
  }
  const name = named?.name ?? (await pickBranch(deps, titles.from, { active: false }));
  if (name === undefined) return undefined;
  return { source: await summaries.named(active.chatId, name), target: active };
}

/** Undefined when the user cancelled. */
async function propose(
  deps: Parameters<typeof mergeSummaryCommands>[0],
  { source, target }: Way,
): Promise<{ readonly proposed: string; readonly model: string | undefined } | undefined> {
  const { conversations, labels, models } = deps;
  const summaries = await conversations.summaries();
  const own = await summaries.own(source, target);
  const model = await models.smallFor(await models.current());
  const byModel = vscode.l10n.t('Summarize with {0}', model.label);
  const items = [
    { icon: 'sparkle', label: byModel, isByModel: true },
    { icon: 'edit', label: vscode.l10n.t('Use Last Answer'), isByModel: false },
  ];
  const picked = await pickOne(items, {
    title: vscode.l10n.t('Merge Summary from {0}', await labelOf(labels, source)),
    placeHolder: vscode.l10n.t('You can edit it before it’s added'),
  });
  if (!picked) return undefined;
  if (picked.isByModel) {
    const title = vscode.l10n.t('Writing a summary');
    const drafted = await withinBudget(deps, (how) =>
      whileWriting(title, (writing) => summaries.draft(source, target, { ...writing, ...how })),
    );
    return drafted && { proposed: drafted.text, model: drafted.model };
  }
  const answer = own.findLast(({ name }) => name === 'assistant');
  const read = answer && readUIMessage(answer.data);
  return { proposed: read ? textOf(read) : '', model: undefined };
}

/** The question of the message the command was called on; else one that the other branch does not have. */
async function askQuestion(
  { conversations, store }: Parameters<typeof mergeSummaryCommands>[0],
  { source, target, messageId }: Way,
): Promise<string | undefined> {
  if (messageId !== undefined) {
    const path = await store.getPath(source.chatId, messageId);
    return path.findLast(isUserTurn)?.id;
  }
  const summaries = await conversations.summaries();
  const items = (await summaries.own(source, target)).filter(isUserTurn).map(({ id, data, createdAt }) => {
    const read = readUIMessage(data);
    return {
      icon: 'account',
      label: read ? messageExcerpt(read, 100) : '',
      description: timeAgo(createdAt),
      id,
    };
  });
  const title = vscode.l10n.t('Select a question to copy with its answer');
  return (await pickOne(items, { title }))?.id;
}

function labelOf(labels: BranchLabels, { chatId, name }: BranchData): Promise<string> {
  return labels.label(chatId, name);
}

interface SummaryDraft extends ProposedText {
  readonly source: BranchData;
  readonly target: BranchData;
  /** The label of the model that wrote it; undefined: the user. */
  readonly model: string | undefined;
}

function createSummaryDrafts(): DraftDocuments<SummaryDraft> {
  return new DraftDocuments('offshoot-summary');
}

async function titleOfDraft(labels: BranchLabels, { source }: SummaryDraft): Promise<string> {
  return vscode.l10n.t('Summary of {0}', shownName(await labelOf(labels, source), 60));
}

export async function whileWriting<T>(title: string, work: (writing: Writing) => Promise<T>): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return withProgress(options, async (progress, token) => {
    const stop = new AbortController();
    const subscription = token.onCancellationRequested(() => stop.abort());
    try {
      return await work({
        signal: stop.signal,
        onProgress: ({ length, portion, portions }) => {
          const written = vscode.l10n.t('{0} characters', numberText(length));
          const message =
            portions === 1 ? written : vscode.l10n.t('Part {0} of {1}: {2}', portion, portions, written);
          progress.report({ message });
        },
      });
    } finally {
      subscription.dispose();
    }
  });
}
