import * as vscode from 'vscode';
import { pricesOf, type ChatModel } from '../../models/chatModel.ts';
import { pricesFor } from '../../engine/estimate/requestCost.ts';
import { dayText, moneyText } from '../ui/formats.ts';
import { priceText } from '../models/modelDetail.ts';
import type { ContextNow } from './contextMeter.ts';
import type { SendingCost } from './nextPrice.ts';

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
