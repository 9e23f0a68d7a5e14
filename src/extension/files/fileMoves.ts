import * as vscode from 'vscode';
import { isChosenOnly, isReady, type InspectedFile, type InspectedPlan } from '../../files/inspectFiles.ts';
import type { Goal, Restored, Restorer } from '../../files/restorer.ts';
import type { HistoryFiles, HistoryMove } from '../../conversation/graphHistory.ts';
import type { Move } from '../../conversation/move.ts';
import type { Settings } from '../manifest/settings.ts';
import { pickFiles } from './filePick.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';

/** A move of the conversation which files may follow. */
export interface MoveRequest {
  readonly chatId: string;
  /** Where the conversation will be; null: before its first message. */
  readonly messageId: string | null;
  /** Where that alone does not say which state of the files is meant. */
  readonly goal?: Goal;
  /** The question, above the choices. */
  readonly title: string;
  readonly move: () => Promise<Move>;
  /** Left out: that is not offered. */
  readonly inOwnFiles?: MoveInOwnFiles | undefined;
  /** The user chose that already. */
  readonly isInOwnFiles?: boolean;
}

/**
 * Moves while the workspace stays as it is: the branch there gets files of its own.
 * @param files those that would be restored in the workspace
 * @returns undefined when the user cancelled
 */
export type MoveInOwnFiles = (
  files: readonly InspectedFile[],
  move: () => Promise<Move>,
) => Promise<Move | undefined>;

export interface Moved {
  /** Undefined if only the files were restored. */
  readonly move: Move | undefined;
  /** Undefined if no file was restored. */
  readonly restored: Restored | undefined;
  /** How many files differ from their content at that point, and were skipped. */
  readonly leftAlone: number;
  /** The branch there works in files of its own. */
  readonly isInOwnFiles?: true;
}

type Extent = 'both' | 'conversation' | 'files' | 'own';

/** Asks how far a move goes; `show`: show the files first. Undefined: do nothing. */
export type AskExtent = (
  title: string,
  chosen: readonly InspectedFile[],
  differing: readonly InspectedFile[],
  offersOwnFiles: boolean,
) => Promise<Extent | 'show' | undefined>;

export class FileMoves implements HistoryFiles {
  constructor(
    private readonly restorer: Restorer,
    private readonly settings: Settings,
    private readonly askExtent: AskExtent = askByPick,
  ) {}

  /** @returns undefined when the user cancelled */
  async go(request: MoveRequest): Promise<Moved | undefined> {
    const { chatId, messageId, goal, move, inOwnFiles } = request;
    if (inOwnFiles && request.isInOwnFiles === true) {
      return this.goInOwnFiles(request, inOwnFiles, await this.restorer.preview(chatId, messageId, goal));
    }
    const setting = this.settings.get('restoreFiles');
    if (setting === 'never') return { move: await move(), restored: undefined, leftAlone: 0 };
    const plan = await this.restorer.preview(chatId, messageId, goal);
    if (plan.files.length === 0) return { move: await move(), restored: undefined, leftAlone: 0 };
    const differing = plan.files.filter(({ state }) => state !== 'there');
    const isAsked = differing.length > 0 && (setting !== 'always' || differing.some(isChosenOnly));
    const choice = isAsked
      ? await this.ask(request, plan, differing)
      : { extent: 'both' as const, files: plan.files.filter(isReady) };
    if (!choice) return undefined;
    if (choice.extent === 'own') return inOwnFiles && this.goInOwnFiles(request, inOwnFiles, plan);
    if (choice.extent === 'conversation') {
      await this.restorer.leave(chatId);
      return { move: await move(), restored: undefined, leftAlone: 0 };
    }
    let moved: Move | undefined;
    const restored = await this.restorer.restore(chatId, plan, choice.files, {
      why: choice.extent === 'both' ? 'move' : 'files',
      commit: async () => {
        if (choice.extent === 'both') moved = await move();
      },
    });
    const leftAlone = differing.filter((file) => !choice.files.includes(file)).length;
    return { move: moved, restored: restored.count > 0 ? restored : undefined, leftAlone };
  }

  private async goInOwnFiles(
    { chatId, move }: MoveRequest,
    inOwnFiles: MoveInOwnFiles,
    { files }: InspectedPlan,
  ): Promise<Moved | undefined> {
    const moved = await inOwnFiles(files, async () => {
      await this.restorer.leave(chatId);
      return move();
    });
    return moved && { move: moved, restored: undefined, leftAlone: 0, isInOwnFiles: true };
  }

  reversible(chatId: string, sequences: readonly number[]): Promise<ReadonlySet<number>> {
    return this.restorer.reversible(chatId, sequences);
  }

  async reverse(
    chatId: string,
    sequences: readonly number[],
    move?: HistoryMove,
  ): Promise<readonly string[]> {
    const stay = move && sequences.length === 0 && this.settings.get('restoreFiles') === 'never';
    if (!stay) return this.restorer.reverse(chatId, sequences, move);
    await move.go();
    return [];
  }

  private async ask(
    { title, inOwnFiles }: MoveRequest,
    plan: InspectedPlan,
    differing: readonly InspectedFile[],
  ): Promise<{ extent: Extent; files: InspectedFile[] } | undefined> {
    let files = plan.files.filter(isReady);
    let isShown = false;
    for (;;) {
      const extent = await this.askExtent(
        title,
        files.filter((file) => differing.includes(file)),
        differing,
        inOwnFiles !== undefined,
      );
      if (extent === undefined) return undefined;
      // Changes that were not made by tools are never skipped silently.
      const mustShow =
        extent !== 'conversation' && extent !== 'own' && !isShown && differing.some((file) => !isReady(file));
      if (extent !== 'show' && !mustShow) return { extent, files };
      const picked = await pickFiles(differing, files);
      // If the user closes the list, they are asked again.
      if (!picked) continue;
      isShown = true;
      files = [...plan.files.filter(({ state }) => state === 'there'), ...picked];
      if (extent !== 'show') return { extent, files };
    }
  }
}

const askByPick: AskExtent = async (title, chosen, differing, offersOwnFiles) => {
  const count = countText(chosen.length, differing.length);
  const items: (PickRow & { readonly extent?: Extent | 'show' })[] = [
    {
      icon: 'history',
      label: vscode.l10n.t('Conversation and Files'),
      description: count,
      extent: 'both',
    },
    {
      icon: 'comment-discussion',
      label: vscode.l10n.t('Conversation Only'),
      description: vscode.l10n.t('the files stay as they are'),
      extent: 'conversation',
    },
    ...(offersOwnFiles
      ? [
          {
            icon: 'repo-forked',
            label: vscode.l10n.t('Conversation, in Its Own Files'),
            description: vscode.l10n.t('a copy of the files goes back, not the workspace'),
            extent: 'own' as const,
          },
        ]
      : []),
    {
      icon: 'files',
      label: vscode.l10n.t('Files Only'),
      description: count,
      extent: 'files',
    },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      icon: 'diff',
      label: vscode.l10n.t('Show the Files…'),
      description: vscode.l10n.t('compare each, and choose'),
      extent: 'show',
    },
  ];
  const placeHolder = vscode.l10n.t('Restores files the agent changed, not what you ran yourself.');
  return (await pickOne(items, { title, placeHolder }))?.extent;
};

function countText(chosen: number, all: number): string {
  if (chosen !== all) return vscode.l10n.t('{0} of {1} changed files', chosen, all);
  return all === 1 ? vscode.l10n.t('one changed file') : vscode.l10n.t('{0} changed files', all);
}
