import * as vscode from 'vscode';
import type { ChatModel } from '../../models/chatModel.ts';
import type { ModelRegistry } from '../../models/modelRegistry.ts';
import type { Settings } from '../manifest/settings.ts';
import { pickModels } from '../models/pickModel.ts';
import { askText } from '../ui/inputBox.ts';

export interface AlternativesFrom {
  readonly models: ModelRegistry;
  readonly settings: Settings;
}

interface Asking {
  readonly title: string;
  /** How many questions there are altogether; these are the first two. */
  readonly steps: number;
  /** The most answers. */
  readonly most: number;
  /** What the number is about. */
  readonly prompt: string;
}

/** Asks which models answer a question, and how many answers there are. Undefined when the user canceled. */
export async function askAlternatives(
  from: AlternativesFrom,
  { title, steps, most, prompt }: Asking,
): Promise<{ readonly models: readonly ChatModel[]; readonly count: number } | undefined> {
  const models = await pickModels(from.models, {
    title: `${title} (1/${steps})`,
    placeHolder: vscode.l10n.t('Select one model, or several that take turns'),
  });
  if (!models) return undefined;
  const least = Math.max(2, models.length, from.settings.get('tries.count'));
  const isCount = (text: string): boolean => /^\d+$/u.test(text.trim()) && +text >= 2 && +text <= most;
  const entered = await askText({
    title: `${title} (2/${steps})`,
    prompt,
    value: String(Math.min(least, most)),
    validateInput: (text) =>
      isCount(text) ? undefined : vscode.l10n.t('Enter a number from 2 to {0}.', most),
  });
  return entered !== undefined && isCount(entered) ? { models, count: Number(entered) } : undefined;
}
