import * as vscode from 'vscode';
import type { ChatModel } from '../../models/chatModel.ts';
import { moneyText } from '../ui/formats.ts';
import type { NextRequest, SendingCost } from './contextMeter.ts';

/** What the next request takes, the cached part apart, and what is left of each cap: a line each. */
export function nextPrice({ cost, model, tokens, budget = [] }: NextRequest): string[] {
  if (model.isDemo) return [];
  return [...priceLines(cost, model, tokens), ...budget.flatMap(leftLines)];
}

function priceLines(cost: SendingCost | undefined, model: ChatModel, tokens: number): string[] {
  if (!cost) return [vscode.l10n.t('Next request: the price of {0} is unknown', model.label)];
  const { most, least, answer } = cost;
  if (most === 0 && (answer ?? 0) === 0) return [];
  return [
    most === least
      ? vscode.l10n.t('Next request: about {0} for input', moneyText(most))
      : vscode.l10n.t(
          'Next request: about {0} for input, or {1} where all {2} tokens so far are cached',
          moneyText(most),
          moneyText(least),
          tokens.toLocaleString(vscode.env.language),
        ),
    ...(answer === undefined
      ? []
      : [vscode.l10n.t('The longest response costs {0} more', moneyText(answer))]),
  ];
}

function leftLines({ scope, dollars, tokens, spent }: NonNullable<NextRequest['budget']>[number]): string[] {
  const line = (left: string, cap: string): string => {
    switch (scope) {
      case 'perMessage':
        return vscode.l10n.t('Budget: {0} of {1} left for the next message', left, cap);
      case 'perBranch':
        return vscode.l10n.t('Budget: {0} of {1} left on this branch', left, cap);
      case 'perChat':
        return vscode.l10n.t('Budget: {0} of {1} left in this chat', left, cap);
      case 'perDay':
        return vscode.l10n.t('Budget: {0} of {1} left today', left, cap);
    }
  };
  const inTokens = (count: number): string =>
    vscode.l10n.t('{0} tokens', Math.max(0, count).toLocaleString(vscode.env.language));
  return [
    ...(dollars === undefined
      ? []
      : [line(moneyText(Math.max(0, dollars - (spent.dollars ?? 0))), moneyText(dollars))]),
    ...(tokens === undefined ? [] : [line(inTokens(tokens - spent.tokens), inTokens(tokens))]),
  ];
}
