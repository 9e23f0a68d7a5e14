import * as vscode from 'vscode';
import { ownMessages, summed } from '../../agent/budget/storedSpending.ts';
import type { MessageData } from '../../engine/graph.ts';
import { moneyText, numberText } from '../ui/formats.ts';

export { ownMessages };

/** What the answers among these messages took, with explorations for them; '' if nothing is known of it. */
export function costOf(messages: readonly MessageData[]): string {
  const { dollars, unpricedTokens } = summed(messages, { withTasks: true });
  const tokens = numberText(unpricedTokens);
  if (unpricedTokens === 0) return dollars === 0 ? '' : moneyText(dollars);
  return dollars === 0
    ? vscode.l10n.t('{0} tokens, price unknown', tokens)
    : vscode.l10n.t('{0} and {1} tokens, price unknown', moneyText(dollars), tokens);
}

/** The same for a title, which has no room to say whose price is unknown: '' then. */
export function priceOf(messages: readonly MessageData[]): string {
  return summed(messages, { withTasks: true }).unpricedTokens === 0 ? costOf(messages) : '';
}
