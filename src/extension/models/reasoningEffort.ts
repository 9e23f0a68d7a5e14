import * as vscode from 'vscode';
import type { ChatModel, ReasoningEffort } from '../../models/chatModel.ts';
import { effortsOf } from '../../models/modelProviders.ts';
import type { Settings } from '../manifest/settings.ts';

/** The selected effort of this model; undefined: its default, or one it no longer accepts. */
export function selectedEffort(
  settings: Pick<Settings, 'get'>,
  model: Pick<ChatModel, 'id' | 'capabilities'>,
): ReasoningEffort | undefined {
  const efforts = settings.get('reasoningEffort');
  const selected = Object.hasOwn(efforts, model.id) ? efforts[model.id] : undefined;
  return selected !== undefined && effortsOf(model).includes(selected) ? selected : undefined;
}

export function effortText(effort: ReasoningEffort): string {
  switch (effort) {
    case 'none':
      return vscode.l10n.t('No Reasoning');
    case 'minimal':
      return vscode.l10n.t('Minimal');
    case 'low':
      return vscode.l10n.t('Low');
    case 'medium':
      return vscode.l10n.t('Medium');
    case 'high':
      return vscode.l10n.t('High');
    case 'xhigh':
      return vscode.l10n.t('Extra High');
    case 'max':
      return vscode.l10n.t('Maximum');
  }
}
