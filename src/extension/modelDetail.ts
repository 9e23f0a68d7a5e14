import * as vscode from 'vscode';
import type { ChatModel, ModelCapability } from '../agent/chatModel.ts';
import { contextWindowOf } from '../agent/context/contextWindow.ts';
import { findModel } from '../engine/estimate/answerCost.ts';
import { numberText } from './formats.ts';
import { moneyText } from './moneyText.ts';

/** One line on a model: where it runs, how much it reads at once, what it can do and what it costs. */
export function modelDetail(model: ChatModel): string {
  const { id, detail, capabilities = [] } = model;
  const price = model.price ?? findModel(id).facts;
  const context = contextWindowOf(model);
  return [
    ...(detail === undefined ? [] : [detail]),
    ...(context === undefined ? [] : [vscode.l10n.t('{0} tokens', numberText(context))]),
    ...capabilities.map(capabilityName),
    ...(price
      ? [vscode.l10n.t('{0} in, {1} out per million', moneyText(price.input), moneyText(price.output))]
      : []),
  ].join(' · ');
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
