import * as vscode from 'vscode';
import type { Answering, UnstartedAnswer } from '../../conversation/answer.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { BranchFiles, BranchFilesRecord } from '../../host/branchFiles.ts';
import { readyOwnFiles } from '../branches/newOwnFiles.ts';
import { requireFolders } from '../files/knownOwnFiles.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import { effortText } from '../models/reasoningEffort.ts';
import { oneLine } from '../ui/shownName.ts';
import { WorkspaceAllowances } from '../tools/allowances.ts';
import { withProgress } from '../ui/progress.ts';
import { askAlternatives, type AlternativesFrom } from './askAlternatives.ts';
import type { SelectedMode } from '../tools/selectedMode.ts';
import { askCheck, askVariations, type AskedCheck, type Variation } from './askRace.ts';

export interface RaceContext extends AlternativesFrom {
  readonly conversations: Conversations;
  readonly ownFiles: OwnFiles;
  readonly store: ReadonlyStore;
  readonly workspaceState: vscode.Memento;
  readonly mode: Pick<SelectedMode, 'whyNoSandbox'>;
}

export interface StartedRace {
  readonly questionId: string;
  /** The errors of those that could not start. */
  readonly failures: readonly unknown[];
}

export interface Racer extends Pick<Answering, 'model'>, Variation {}

/**
 * Asks for what races, and has each answer the question on a branch with files of its own.
 * @param question the id of its message, asked for once all branches have their files
 * @returns undefined when the user canceled
 */
export async function race(
  deps: RaceContext,
  chatId: string,
  question: () => Promise<string>,
): Promise<StartedRace | undefined> {
  requireFolders();
  // Refused before anything is asked where there is no git.
  const host = await deps.ownFiles.host();
  const { atOnce } = await deps.ownFiles.load();
  const title = vscode.l10n.t('Race…');
  const chosen = await askAlternatives(deps, {
    title,
    steps: 4,
    most: Math.max(2, atOnce),
    prompt: vscode.l10n.t('Number of branches. Each changes files of its own, not the workspace.'),
  });
  if (!chosen) return undefined;
  const { models, count } = chosen;
  const variations = await askVariations(`${title} (3/4)`, models, count);
  if (!variations) return undefined;
  const allowed = new WorkspaceAllowances(deps.workspaceState);
  const check = await askCheck(`${title} (4/4)`, {
    memory: deps.workspaceState,
    allowed,
    caps: deps,
    hasSandbox: async () => (await deps.mode.whyNoSandbox()) === undefined,
  });
  if (!check) return undefined;
  const racers = Array.from({ length: count }, (_, index) => index).flatMap((index): Racer[] => {
    const model = models[index % models.length];
    return model ? [{ model, ...variations[index % variations.length] }] : [];
  });
  return startRace(deps, host, { chatId, question, racers, check: check === 'none' ? undefined : check });
}

export interface Race {
  readonly chatId: string;
  readonly question: () => Promise<string>;
  readonly racers: readonly Racer[];
  readonly check: AskedCheck | undefined;
}

/** Nothing starts unless all of them have their files. @returns as {@link race} */
async function startRace(
  { conversations, ownFiles, store }: Pick<RaceContext, 'conversations' | 'ownFiles' | 'store'>,
  host: BranchFiles,
  { chatId, question, racers, check }: Race,
): Promise<StartedRace | undefined> {
  const known = await ownFiles.load();
  const made: BranchFilesRecord[] = [];
  let questionId: string;
  const stop = new AbortController();
  try {
    await withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Copying files'),
        cancellable: true,
      },
      async (progress, token) => {
        token.onCancellationRequested(() => stop.abort());
        for (const [index, { effort, hint, temperature }] of racers.entries()) {
          progress.report({ message: vscode.l10n.t('{0} of {1}', index + 1, racers.length) });
          const record = await known.make({ chatId, signal: stop.signal });
          made.push(record);
          await known.racers.write(record.id, { effort, hint, temperature, check });
        }
      },
    );
    await ownFiles.refresh();
    questionId = await question();
  } catch (error) {
    for (const { id } of made) await host.remove(id);
    if (stop.signal.aborted) return undefined;
    throw error;
  }
  const taken = (await store.listBranches(chatId, { includeArchived: true })).map(({ name }) => name);
  const names = racerNames(racers, taken);
  await readyOwnFiles(
    known,
    made.map((record, index) => ({ record, label: names[index] ?? '' })),
  );
  const answerings = racers.map(({ model, temperature }, index): Answering => ({
    model,
    temperature,
    files: made[index]?.id,
    name: names[index],
  }));
  const { failures, unstarted } = await conversations.tryTimes(questionId, answerings);
  await removeUnstarted(conversations, host, chatId, unstarted);
  await ownFiles.refresh();
  return { questionId, failures };
}

/** In characters. */
const NAME_LENGTH = 50;

/** What tells them apart: titles of their answers would be much alike. */
export function racerNames(racers: readonly Racer[], taken: readonly string[]): readonly string[] {
  const hasModels = new Set(racers.map(({ model }) => model.id)).size > 1;
  const names: string[] = [];
  for (const { model, effort, hint, temperature } of racers) {
    const about = [
      ...(hint === undefined ? [] : [hint]),
      ...(hasModels || (hint ?? effort ?? temperature) === undefined ? [model.label] : []),
      ...(effort === undefined ? [] : [effortText(effort)]),
      ...(temperature === undefined ? [] : [vscode.l10n.t('temp. {0}', temperature)]),
    ].join(', ');
    const name = oneLine(about, NAME_LENGTH);
    let free = name;
    for (let count = 2; taken.includes(free) || names.includes(free); count += 1) free = `${name} (${count})`;
    names.push(free);
  }
  return names;
}

async function removeUnstarted(
  conversations: Pick<Conversations, 'discardBranch'>,
  host: BranchFiles,
  chatId: string,
  unstarted: readonly UnstartedAnswer[],
): Promise<void> {
  for (const { branch, files } of unstarted) {
    if (branch !== undefined) await conversations.discardBranch(chatId, branch);
    await host.remove(files);
  }
}
