import * as vscode from 'vscode';
import { pricesOf, type ChatModel } from '../../models/chatModel.ts';
import { pricesFor } from '../../engine/estimate/requestCost.ts';
import { dayText, moneyText } from '../ui/formats.ts';
import { priceText } from '../models/modelDetail.ts';
import type { ContextNow, SendingCost } from './contextMeter.ts';

export interface ShownCost {
  /** As `about $0.42`. */
  readonly short: string;
  /** A sentence on the cost, then the prices, then their source. */
  readonly lines: readonly [string, string, string];
}

export function shownCost({ cost, model, tokens }: ContextNow): ShownCost | undefined {
  const prices = model && pricesOf(model);
  if (!cost || cost.most === 0 || !prices) return undefined;
  return {
    short: vscode.l10n.t('about {0}', moneyText(cost.most)),
    lines: [sendingText(cost), priceText(pricesFor(prices, tokens)), sourceText(model)],
  };
}

/** What the next request takes, the cached part apart, and what is left of each cap: a line each. */
export function nextPrice({ cost, model, tokens, budget = [] }: ContextNow): string[] {
  if (!model || model.isDemo) return [];
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

function leftLines({ scope, dollars, tokens, spent }: NonNullable<ContextNow['budget']>[number]): string[] {
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

function sendingText({ most, least }: SendingCost): string {
  return most === least
    ? vscode.l10n.t('Sending it once costs about {0}', moneyText(most))
    : vscode.l10n.t(
        'Sending it once costs about {0}, or {1} if all of it is cached',
        moneyText(most),
        moneyText(least),
      );
}

function sourceText({ price, listed }: Pick<ChatModel, 'price' | 'listed'>): string {
  if (price || !listed) return vscode.l10n.t('Price from your settings');
  // A date without a time would be read as UTC.
  return vscode.l10n.t('List price as of {0}', dayText(Date.parse(`${listed.date}T00:00`)));
}
