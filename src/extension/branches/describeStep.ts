import * as vscode from 'vscode';
import { z } from 'zod';
import { endsWithCall } from '../../agent/run/waitsForUser.ts';
import { PLAN } from '../../agent/plans/planFacts.ts';
import { TODOS } from '../../agent/plans/todoList.ts';
import { toolCallsIn } from '../../models/messages/toolParts.ts';
import type { FileChange } from '../../engine/effects.ts';
import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage, type UIMessage } from '../../engine/uiMessage.ts';
import { shownLocation } from '../files/openFolders.ts';
import { numberText } from '../ui/formats.ts';
import { shownName } from '../ui/shownName.ts';

const commandInput = z.looseObject({ command: z.string() });

/** How much of a name a description shows, in characters. */
const NAME_LENGTH = 60;

export interface DescribedStep {
  readonly text: string;
  /** The same without the agent's own notes; undefined if there is nothing else. */
  readonly changes: string | undefined;
}

/** What a message of an answer changed, if the answer continued after it; undefined for every other message. */
export function describeStep(message: MessageData): DescribedStep | undefined {
  const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
  if (read?.role !== 'assistant' || !endsWithCall(read)) return undefined;
  const { files = [], artifacts = [], state } = message.effects ?? {};
  const done = [...filesText(files), ...commandsText(read)];
  const keys = [...Object.keys(state?.set ?? {}), ...(state?.deleted ?? [])];
  // A plan is ticked with its list.
  const saved = artifacts.filter(({ name }) => name !== PLAN || !keys.includes(TODOS));
  if (saved.length > 0) done.push(artifactsText(saved.map(({ name }) => name)));
  const notes = notesText(keys);
  const all = [...done, ...notes];
  if (all.length === 0) return undefined;
  return { text: all.join(' · '), changes: done.length === 0 ? undefined : done.join(' · ') };
}

/** Each file once, comparing before and after the step. */
function filesText(changes: readonly FileChange[]): string[] {
  const files = new Map<string, FileChange>();
  for (const change of changes) {
    const key = JSON.stringify([change.folder, change.path]);
    files.set(key, { ...change, before: (files.get(key) ?? change).before });
  }
  const of = (isMeant: (change: FileChange) => boolean): string[] =>
    [...files.values()].filter(isMeant).map(shownLocation);
  const created = of(({ before, after }) => before === null && after !== null);
  const deleted = of(({ before, after }) => before !== null && after === null);
  const edited = of(({ before, after }) => before !== null && after !== null);
  return [...createdText(created), ...editedText(edited), ...deletedText(deleted)];
}

function createdText([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  return others.length === 0
    ? [vscode.l10n.t('Created {0}', shown(first))]
    : [vscode.l10n.t('Created {0} files', numberText(others.length + 1))];
}

function editedText([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  return others.length === 0
    ? [vscode.l10n.t('Edited {0}', shown(first))]
    : [vscode.l10n.t('Edited {0} files', numberText(others.length + 1))];
}

function deletedText([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  return others.length === 0
    ? [vscode.l10n.t('Deleted {0}', shown(first))]
    : [vscode.l10n.t('Deleted {0} files', numberText(others.length + 1))];
}

/** A foreign tool may have the same name. */
function commandsText(message: UIMessage): string[] {
  const [first, ...others] = toolCallsIn(message).flatMap((call) => {
    if (call.type !== 'tool-run_command' || call.state !== 'output-available') return [];
    const { data } = commandInput.safeParse(call.input);
    return data ? [data.command] : [];
  });
  if (first === undefined) return [];
  return others.length === 0
    ? [vscode.l10n.t('Ran {0}', shown(first))]
    : [vscode.l10n.t('Ran {0} commands', numberText(others.length + 1))];
}

function artifactsText(names: readonly string[]): string {
  const [first = '', ...others] = new Set(names);
  return others.length === 0
    ? vscode.l10n.t('Saved {0}', shown(first))
    : vscode.l10n.t('Saved {0} artifacts', numberText(others.length + 1));
}

function notesText(keys: readonly string[]): string[] {
  const others = keys.filter((key) => key !== TODOS);
  return [
    ...(keys.includes(TODOS) ? [vscode.l10n.t('Updated the todo list')] : []),
    ...(others.length > 0 ? [vscode.l10n.t('Noted {0}', shown(others.join(', ')))] : []),
  ];
}

function shown(name: string): string {
  return shownName(name, NAME_LENGTH);
}
