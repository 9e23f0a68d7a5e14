import * as vscode from 'vscode';
import type { ModelRegistry } from '../../models/modelRegistry.ts';
import type { AttachedPrompt } from '../../agent/attachments/addedParts.ts';
import { findPrompts, type FoundPrompt } from '../../agent/prompts/findPrompts.ts';
import { givenInputs, inputsOf, variablesOf } from '../../agent/prompts/promptBody.ts';
import { toolsOfPrompt, type PromptFile } from '../../agent/prompts/promptFile.ts';
import type { PromptProblem } from '../../agent/prompts/promptText.ts';
import { runPrompt } from '../../agent/prompts/runPrompt.ts';
import { runSkill } from '../../agent/skills/runSkill.ts';
import { OffshootError } from '../../engine/errors.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import { reservedNames, type PromptView, type SlashText } from '../../protocol/slashCommands.ts';
import type { Settings } from '../manifest/settings.ts';
import type { Tools } from '../tools/createTools.ts';
import { askText } from '../ui/inputBox.ts';
import { chatMode, type ChatMode } from '../../agent/run/chatMode.ts';
import { editorTexts } from '../files/editorEncodings.ts';
import { shownPathOf, workspaceFolders } from '../files/openFolders.ts';
import { openTexts } from '../files/openTexts.ts';
import { problemText } from './promptProblem.ts';
import type { Skills } from './skills.ts';

/** By name, with the skills that a user can run. Also logs what in prompt files has no effect here. */
export async function listPrompts({
  guarded,
  log,
  skills,
}: {
  readonly guarded: GuardedFiles;
  readonly log: vscode.LogOutputChannel;
  readonly skills: Pick<Skills, 'read'>;
}): Promise<PromptView[]> {
  const { prompts, hidden } = await findPrompts(guarded, reservedNames, editorTexts);
  for (const path of hidden) log.info(`${path}: the name of this prompt file is taken`);
  const views = prompts.map(({ name, at, prompt, problem, takesInput }) => {
    if (prompt && prompt.unknown.length > 0) {
      log.info(`${at.shown}: nothing is known of ${prompt.unknown.join(', ').slice(0, 300)}`);
    }
    const { description, argumentHint } = prompt ?? {};
    return {
      name,
      path: at.shown,
      takesInput,
      ...(description === undefined ? {} : { description: description.slice(0, 500) }),
      ...(argumentHint === undefined ? {} : { hint: argumentHint.slice(0, 200) }),
      ...(problem === undefined ? {} : { problem: problemText(problem) }),
    };
  });
  const taken = new Set([...reservedNames, ...prompts.map(({ name }) => name)]);
  const ofSkills = (await skills.read()).skills
    .filter(({ name, isForUser }) => isForUser && !taken.has(name))
    .map(({ name, argumentHint: hint, description, shown: path }): PromptView => {
      const shown = { name, path, description: description.slice(0, 500), takesInput: hint !== undefined };
      return hint === undefined ? shown : { ...shown, hint };
    });
  return [...views, ...ofSkills].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Undefined when the user cancelled; no parts if there is no prompt file or skill of this name. */
export async function takePrompt(
  deps: {
    readonly guarded: GuardedFiles;
    readonly models: ModelRegistry;
    readonly settings: Settings;
    readonly skills: Pick<Skills, 'pathOf' | 'read'>;
    readonly tools: Pick<Tools, 'offered' | 'selectable'>;
  },
  { name, rest }: SlashText,
): Promise<UIMessagePart[] | undefined> {
  const { prompts } = await findPrompts(deps.guarded, reservedNames, editorTexts);
  const found = prompts.find((each) => each.name === name);
  if (!found) return takeSkill(deps, name);
  const { at, prompt, problem } = found;
  if (!prompt) throw new PromptError(found, problem);
  const inputs = await askInputs(name, prompt, rest);
  if (!inputs) return undefined;
  return runPrompt(deps.guarded, {
    at,
    name,
    prompt,
    inputs,
    variables: promptVariables(prompt.body, at),
    settings: await settingsOf(deps, prompt),
    texts: openTexts,
  });
}

async function takeSkill(
  { skills }: Pick<Parameters<typeof takePrompt>[0], 'skills'>,
  name: string,
): Promise<UIMessagePart[]> {
  if (reservedNames.has(name)) return [];
  const skill = (await skills.read()).skills.find((each) => each.name === name && each.isForUser);
  return skill ? runSkill(skill, { pathOf: (uri) => skills.pathOf(uri) }) : [];
}

class PromptError extends OffshootError {
  constructor({ at }: Pick<FoundPrompt, 'at'>, problem: PromptProblem | undefined) {
    const why = problem ? problemText(problem) : '';
    super('prompt-unusable', vscode.l10n.t('The prompt file {0} can’t be run: {1}.', at.shown, why));
  }
}

/** The inputs that were not typed after its name. */
async function askInputs(
  name: string,
  { body }: PromptFile,
  rest: string,
): Promise<Map<string, string> | undefined> {
  const inputs = inputsOf(body);
  const given = givenInputs(inputs, rest);
  for (const input of inputs) {
    if (given.has(input.name)) continue;
    const value = await askText({
      title: `/${name}`,
      prompt: input.name,
      ...(input.placeholder === undefined ? {} : { placeHolder: input.placeholder }),
    });
    if (value === undefined) return undefined;
    given.set(input.name, value);
  }
  return given;
}

async function settingsOf(
  { models, settings, tools }: Parameters<typeof takePrompt>[0],
  prompt: PromptFile,
): Promise<Pick<AttachedPrompt, 'mode' | 'tools' | 'model'> & { readonly missing: readonly string[] }> {
  const missing: string[] = [];
  const mode = prompt.mode === undefined ? undefined : promptMode(prompt.mode);
  if (prompt.mode !== undefined && mode === undefined) missing.push(prompt.mode);
  const model = await modelOf(models, prompt.models);
  if (prompt.models.length > 0 && model === undefined) missing.push(...prompt.models);
  const chosen = prompt.tools && {
    ...toolsOfPrompt(prompt.tools, {
      ...tools.selectable(),
      offered: tools.offered(),
      sets: settings.get('tools.sets'),
    }),
  };
  return {
    missing: [...missing, ...(chosen?.missing ?? [])],
    ...(mode === undefined ? {} : { mode }),
    ...(chosen === undefined ? {} : { tools: chosen.tools }),
    ...(model === undefined ? {} : { model }),
  };
}

/** The first available one, by its id or its label, with or without its vendor. */
export async function modelOf(
  models: Pick<ModelRegistry, 'find' | 'list'>,
  wanted: readonly string[],
): Promise<string | undefined> {
  if (wanted.length === 0) return undefined;
  for (const id of wanted) if (id.includes(':') && (await models.find(id))) return id;
  const { models: all } = await models.list();
  for (const name of wanted) {
    const plain = name.replace(/\s*\([^()]*\)$/u, '').toLowerCase();
    const found = all.find(({ label }) => [name.toLowerCase(), plain].includes(label.toLowerCase()));
    if (found) return found.id;
  }
  return undefined;
}

/** The mode that a prompt file names, also by VS Code's name for it; undefined when there is no such mode. */
function promptMode(name: string): ChatMode | undefined {
  const wanted = name.trim().toLowerCase();
  return wanted === 'edit' ? 'agent' : chatMode.safeParse(wanted).data;
}

/** How much of a selection is included, in UTF-16 units. */
const MAX_SELECTION = 60_000;

/** The values of the variables of a prompt, from the editor and the workspace; empty if there is none. */
function promptVariables(body: string, at: FoundPrompt['at']): Map<string, string> {
  const editor = vscode.window.activeTextEditor;
  const file = editor ? (shownPathOf(workspaceFolders(), editor.document.uri) ?? '') : '';
  const base = file.slice(file.lastIndexOf('/') + 1);
  const folder = vscode.Uri.parse(at.folder, true);
  const selection = (): string =>
    editor ? editor.document.getText(editor.selection).slice(0, MAX_SELECTION).toWellFormed() : '';
  const values: Readonly<Record<string, () => string>> = {
    selection,
    selectedText: selection,
    file: () => file,
    relativeFile: () => file,
    fileBasename: () => base,
    fileBasenameNoExtension: () => base.replace(/(?!^)\.[^.]*$/u, ''),
    fileDirname: () => file.slice(0, Math.max(0, file.lastIndexOf('/'))),
    workspaceFolder: () => folder.fsPath,
    workspaceFolderBasename: () => folder.path.slice(folder.path.lastIndexOf('/') + 1),
  };
  return new Map(
    [...variablesOf(body)].flatMap((name) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return value ? [[name, value()] as const] : [];
    }),
  );
}
