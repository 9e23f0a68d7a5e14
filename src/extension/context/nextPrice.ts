import * as vscode from 'vscode';
import type { Budget } from '../../agent/budget/budget.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import { moneyText, numberText } from '../ui/formats.ts';

/** The cost of sending a context once, in US dollars. */
export interface SendingCost {
  /** If none of it is in the provider's cache. */
  readonly most: number;
  /** If all of it is read from the cache; equal to `most` if caching makes no difference. */
  readonly least: number;
  /** In addition, of the longest answer; undefined if its limit is unknown. */
  readonly answer: number | undefined;
}

export interface NextRequest {
  readonly model: ChatModel;
  readonly tokens: number;
  /** Undefined if its price is unknown. */
  readonly cost: SendingCost | undefined;
  /** What is left of each cap; undefined if that can't be read. */
  readonly budget: Awaited<ReturnType<Budget['left']>> | undefined;
}

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
          numberText(tokens),
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
  const inTokens = (count: number): string => vscode.l10n.t('{0} tokens', numberText(Math.max(0, count)));
  return [
    ...(dollars === undefined
      ? []
      : [line(moneyText(Math.max(0, dollars - (spent.dollars ?? 0))), moneyText(dollars))]),
    ...(tokens === undefined ? [] : [line(inTokens(tokens - spent.tokens), inTokens(tokens))]),
  ];
}
