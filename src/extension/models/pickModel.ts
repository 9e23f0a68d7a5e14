import * as vscode from 'vscode';
import type { ChatModel } from '../../models/chatModel.ts';
import { maxTemperatureOf } from '../../models/modelProviders.ts';
import { modelItems } from './modelsCommands.ts';
import { askText } from '../ui/inputBox.ts';
import { pickOne, pickMany, type PickRow } from '../ui/quickPick.ts';
import type { ModelRegistry } from '../../models/modelRegistry.ts';

interface ModelItem extends PickRow {
  readonly model?: ChatModel;
}

interface Step {
  readonly title: string;
  readonly placeHolder: string;
}

/** The one in use comes first. */
export async function pickModel(models: ModelRegistry, step: Step): Promise<ChatModel | undefined> {
  const picked = await pickOne(reachable(models, false), {
    ...step,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return picked?.model;
}

/** Undefined when the user canceled. */
export async function pickModels(from: ModelRegistry, step: Step): Promise<ChatModel[] | undefined> {
  const picked = await pickMany(reachable(from, true), {
    ...step,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  const models = picked?.flatMap(({ model }) => model ?? []) ?? [];
  return models.length === 0 ? undefined : models;
}

async function reachable(models: ModelRegistry, ticksCurrent: boolean): Promise<ModelItem[]> {
  const current = await models.current().catch(() => undefined);
  const { models: listed } = await models.list();
  const first = listed.find(({ id }) => id === current?.id) ?? current;
  const others = modelItems({ models: listed.filter(({ id }) => id !== first?.id), problems: [] }, undefined);
  const items = others.map(({ choice, ...item }): ModelItem => {
    return typeof choice === 'object' && 'model' in choice ? { ...item, model: choice.model } : item;
  });
  if (!first) return items;
  const [, item] = modelItems({ models: [first], problems: [] }, first);
  return item ? [{ ...item, model: first, picked: ticksCurrent }, ...items] : items;
}

/** Undefined when the user canceled; `own` when nothing was entered. */
export async function askTemperature(
  title: string,
  models: readonly ChatModel[],
): Promise<number | 'own' | undefined> {
  const limit = Math.min(...models.map(maxTemperatureOf));
  const entered = await askText({
    title,
    prompt: vscode.l10n.t(
      'Temperature, from 0 (the same each time) to {0} (the most varied). Leave it empty for the model’s own.',
      limit,
    ),
    placeHolder: vscode.l10n.t('the model’s own'),
    validateInput: (text) =>
      readTemperature(text, limit) === undefined
        ? vscode.l10n.t('Enter a number from 0 to {0}, or nothing.', limit)
        : undefined,
  });
  return entered === undefined ? undefined : readTemperature(entered, limit);
}

/** Undefined when it is not a temperature up to the limit; a decimal comma is accepted. */
export function readTemperature(text: string, limit: number): number | 'own' | undefined {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return 'own';
  if (!/^\d*\.?\d+$|^\d+\.$/u.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return value <= limit ? value : undefined;
}
