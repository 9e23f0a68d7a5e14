import * as vscode from 'vscode';
import type { GraphStep } from '../../engine/graphSteps.ts';

/**
 * What a user did, in a few words that can follow “Undone:”.
 * @param labelOf the labels of branches
 */
export function stepText(
  { kind, branch: name }: Pick<GraphStep, 'kind' | 'branch'>,
  labelOf: (branch: string) => string,
): string {
  const branch = labelOf(name);
  switch (kind) {
    case 'switched':
      return vscode.l10n.t('switch to {0}', branch);
    case 'rewound':
      return vscode.l10n.t('rewind');
    case 'branch-created':
      return vscode.l10n.t('edit, on {0}', branch);
    case 'restored':
      return vscode.l10n.t('restore of a checkpoint');
    case 'summarised':
      return vscode.l10n.t('summary, on {0}', branch);
    case 'brought-back':
      return vscode.l10n.t('bringing back, to {0}', branch);
    case 'cherry-picked':
      return vscode.l10n.t('cherry-pick, to {0}', branch);
    case 'branch-archived':
      return vscode.l10n.t('archive of branch {0}', branch);
    case 'branch-deleted':
      return vscode.l10n.t('deletion of branch {0}', name);
    case 'todos-edited':
      return vscode.l10n.t('change of the todo list');
    case 'checkpoint-deleted':
      return vscode.l10n.t('deletion of checkpoint “{0}”', name);
  }
}
