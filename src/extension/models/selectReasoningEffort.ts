import * as vscode from 'vscode';
import { effortsOf, type ReasoningEffort } from '../../agent/reasoning/efforts.ts';
import { effortText, selectedEffort } from './reasoningEffort.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import type { ModelRegistry } from '../../agent/modelRegistry.ts';
import type { Settings } from '../settings/settings.ts';

export interface SelectReasoningEffortDeps {
  readonly models: ModelRegistry;
  readonly settings: Settings;
}

interface EffortRow extends PickRow {
  /** Undefined: the model's default. */
  readonly effort: ReasoningEffort | undefined;
}

/** Asks for the reasoning effort of the current model; the selection applies to this model from then on. */
export async function selectReasoningEffort({ models, settings }: SelectReasoningEffortDeps): Promise<void> {
  const model = await models.current();
  const efforts = effortsOf(model);
  if (efforts.length === 0) {
    void notify.information(vscode.l10n.t('{0} has no reasoning effort to select', model.label));
    return;
  }
  const selected = selectedEffort(settings, model);
  const rows = [undefined, ...efforts].map((effort): EffortRow => ({
    effort,
    label: effort === undefined ? vscode.l10n.t('Default') : effortText(effort),
    ...(effort === selected ? { description: vscode.l10n.t('current') } : {}),
  }));
  const picked = await pickOne(rows, {
    title: vscode.l10n.t('Select Reasoning Effort'),
    placeHolder: vscode.l10n.t('Select how much {0} thinks before it answers', model.label),
  });
  if (!picked) return;
  const { [model.id]: _before, ...others } = settings.get('reasoningEffort');
  await settings.set(
    'reasoningEffort',
    picked.effort === undefined ? others : { ...others, [model.id]: picked.effort },
  );
}
