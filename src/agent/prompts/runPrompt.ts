import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import { addedText, PROMPT_PART, type AttachedPrompt } from '../attachments/addedParts.ts';
import { MAX_REMINDER, reminderText } from '../attachments/attachedContext.ts';
import { guarded } from '../tools/workspace/guarded.ts';
import { readText } from '../tools/workspace/readTools.ts';
import type { OpenTexts } from '../tools/workspace/workspaceHost.ts';
import { ToolError } from '../tools/toolError.ts';
import type { FoundPrompt } from './findPrompts.ts';
import { fillBody, linkedPath, linksOf, MAX_LINKS } from './promptBody.ts';
import type { PromptFile } from './promptFile.ts';

/** The total length of all files that a prompt names, in UTF-16 units. */
const MAX_LINKED = 200_000;

export interface PromptRun {
  readonly at: FoundPrompt['at'];
  readonly name: string;
  readonly prompt: PromptFile;
  readonly inputs: ReadonlyMap<string, string>;
  readonly variables: ReadonlyMap<string, string>;
  /** What it is run with, and which of its requests are not available. */
  readonly settings: Pick<AttachedPrompt, 'mode' | 'tools' | 'model'> & {
    readonly missing: readonly string[];
  };
  readonly texts: OpenTexts;
}

/** A prompt as parts of a question, with the current content of the files it names. */
export async function runPrompt(files: GuardedFiles, run: PromptRun): Promise<UIMessagePart[]> {
  const { at, name, prompt, settings } = run;
  const { links, missing } = await readLinks(files, run);
  const { missing: notThere, ...chosen } = settings;
  const all = [...notThere, ...missing];
  return attachedPromptParts(
    { name, path: at.shown, ...chosen, ...(all.length > 0 ? { missing: all } : {}) },
    fillBody(prompt.body, run.inputs, run.variables),
    links,
  );
}

/** Only links in the file itself: what the user types into it attaches nothing. */
async function readLinks(
  files: GuardedFiles,
  { at, prompt, texts }: PromptRun,
): Promise<{ links: PromptLink[]; missing: string[] }> {
  const links: PromptLink[] = [];
  const missing: string[] = [];
  const from = at.path.slice(0, Math.max(0, at.path.lastIndexOf('/')));
  let left = MAX_LINKED;
  for (const [index, link] of linksOf(prompt.body).entries()) {
    const path = linkedPath(from, link);
    const read =
      index < MAX_LINKS && left > 0 && path !== undefined && path !== ''
        ? await readLink(files, uriBelow(at.folder, path), texts)
        : undefined;
    if (!read) missing.push(link);
    else if (!links.some((each) => each.path === read.path)) {
      left -= Math.min(read.text.length, MAX_REMINDER);
      links.push(read);
    }
  }
  return { links, missing };
}

/** Undefined if it is missing, leads elsewhere, is named like a secret, or is not text of an acceptable length. */
async function readLink(files: GuardedFiles, uri: string, texts: OpenTexts): Promise<PromptLink | undefined> {
  try {
    const at = await guarded(() => files.resolve({ uri }));
    if (at.isSecret) return undefined;
    return { path: at.shown, text: await readText(files, at, texts) };
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

interface PromptLink {
  readonly path: string;
  readonly text: string;
}

/** @param body with its variables filled in */
function attachedPromptParts(
  prompt: Omit<AttachedPrompt, 'files' | 'leftOut'>,
  body: string,
  links: readonly PromptLink[],
): UIMessagePart[] {
  const shown = body.slice(0, MAX_BODY).toWellFormed();
  const leftOut = body.length - shown.length;
  const data: AttachedPrompt = {
    ...prompt,
    ...(links.length > 0 ? { files: links.map(({ path }) => path) } : {}),
    ...(leftOut > 0 ? { leftOut } : {}),
  };
  const note = leftOut > 0 ? `\n[${leftOut} more characters were left out.]` : '';
  return [
    { type: PROMPT_PART, data },
    addedText(
      'prompt',
      `[The user runs the prompt file ${prompt.path}. This is what they ask:]\n\n${shown}${note}`,
    ),
    ...links.map(({ path, text }) => {
      return addedText('prompt', reminderText(`${path}, which the prompt names`, text).text);
    }),
  ];
}

/** How much of a prompt is sent to the model, in UTF-16 units. */
const MAX_BODY = 100_000;
