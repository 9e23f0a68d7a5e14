import * as vscode from 'vscode';
import { contextWindowOf, pricesOf, type ChatModel, type ModelCapability } from '../../models/chatModel.ts';
import type { TokenPrices } from '../../engine/estimate/modelPrices.ts';
import { numberText, moneyText } from '../ui/formats.ts';

export function modelDetail(model: ChatModel): string {
  const { detail, capabilities = [] } = model;
  const price = pricesOf(model);
  const context = contextWindowOf(model);
  return [
    ...(detail === undefined ? [] : [detail]),
    ...(context === undefined ? [] : [vscode.l10n.t('{0} tokens', numberText(context))]),
    ...capabilities.map(capabilityName),
    ...(price ? [priceText(price)] : []),
  ].join(' · ');
}

/** The price of a million tokens; with that of cached ones if it differs. */
export function priceText({ input, output, cachedInput = input }: TokenPrices): string {
  return cachedInput === input
    ? vscode.l10n.t('{0} in, {1} out per million', moneyText(input), moneyText(output))
    : vscode.l10n.t(
        '{0} in ({1} cached), {2} out per million',
        moneyText(input),
        moneyText(cachedInput),
        moneyText(output),
      );
}

function capabilityName(capability: ModelCapability): string {
  switch (capability) {
    case 'tools':
      return vscode.l10n.t('tools');
    case 'images':
      return vscode.l10n.t('images');
    case 'reasoning':
      return vscode.l10n.t('reasoning');
  }
}
