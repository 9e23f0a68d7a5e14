import { z } from 'zod';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import { guarded } from '../tools/workspace/guarded.ts';
import { readText } from '../tools/workspace/readTools.ts';
import type { OpenTexts } from '../tools/workspace/workspaceHost.ts';
import { ToolError } from '../tools/toolError.ts';
import { reminderText } from './attachedContext.ts';

const PART = 'data-attached-file';

/** What a message keeps of an attached file, to show it; the text for the model is a separate part. */
const attachedFile = z.object({
  path: z.string(),
  startLine: z.int().positive().optional(),
  endLine: z.int().positive().optional(),
  /** How many UTF-16 units were omitted. */
  leftOut: z.int().positive().optional(),
});
export type AttachedFile = z.infer<typeof attachedFile>;

export interface FileRange {
  readonly path: string;
  /** From 1, inclusive. */
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

/**
 * A workspace file as parts of a question: what is shown of it, and its text for the model.
 * @throws ToolError when it is outside the open folders, missing, too large or not text
 */
export async function attachedFileParts(
  files: GuardedFiles,
  { path, startLine, endLine }: FileRange,
  texts: OpenTexts,
): Promise<UIMessagePart[]> {
  const at = await guarded(() => files.resolve(path));
  const whole = await readText(files, at, texts);
  const lines = whole.split('\n');
  const first = startLine ?? 1;
  if (first > lines.length)
    throw new ToolError(`${at.shown} has only ${lines.length} lines.`, 'no-such-line');
  const last = Math.min(Math.max(first, endLine ?? lines.length), lines.length);
  const isPart = startLine !== undefined || endLine !== undefined;
  const text = isPart ? lines.slice(first - 1, last).join('\n') : whole;
  const about = isPart ? `${at.shown}, lines ${first}–${last} of ${lines.length}` : at.shown;
  const { part, leftOut } = reminderText(about, text);
  const data: AttachedFile = {
    path: at.shown,
    ...(isPart ? { startLine: first, endLine: last } : {}),
    ...(leftOut > 0 ? { leftOut } : {}),
  };
  return [{ type: PART, data }, part];
}

/** What a part records about an attached file; undefined for other kinds of parts. */
export function attachedFileOf(part: UIMessagePart): AttachedFile | undefined {
  return part.type === PART && 'data' in part ? attachedFile.safeParse(part.data).data : undefined;
}
