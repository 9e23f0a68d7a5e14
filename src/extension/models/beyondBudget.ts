import * as vscode from 'vscode';
import { BUDGET_REACHED } from '../../agent/budget/budgetReached.ts';
import { BeyondCap } from '../../agent/budget/spends.ts';
import { OffshootError } from '../../engine/errors.ts';
import { translated } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import type { CapContext } from './raiseCap.ts';

/** How something is done again that the budget stopped. */
export interface Beyond {
  /** Left out: within the caps. */
  readonly beyond?: BeyondCap;
}

/** Offers what a response in the chat offers where the budget stops it. @returns undefined: it stays stopped */
export async function askBeyond(deps: CapContext, problem: string): Promise<Beyond | undefined> {
  const once = vscode.l10n.t('Continue Once');
  const raise = vscode.l10n.t('Raise Cap…');
  const picked = await notify.error(problem, once, raise);
  if (picked === once) return { beyond: new BeyondCap() };
  if (picked !== raise) return undefined;
  const { raiseCap } = await import('./raiseCap.ts');
  return (await raiseCap(deps)) ? {} : undefined;
}

/** Sends requests outside of an answer. @returns undefined: the budget stopped it, and the user left it at that */
export async function withinBudget<T>(
  deps: CapContext,
  work: (how: Beyond) => Promise<T>,
): Promise<T | undefined> {
  for (let how: Beyond | undefined = {}; how;) {
    try {
      return await work(how);
    } catch (error) {
      if (!(error instanceof OffshootError) || error.code !== BUDGET_REACHED) throw error;
      how = await askBeyond(deps, translated(error.descriptor));
    }
  }
  return undefined;
}
