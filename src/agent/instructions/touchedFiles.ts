import { isToolPart, toolNameOf, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { attachedFileOf } from '../attachments/attachedFile.ts';
import { attachedPromptOf } from '../attachments/attachedPrompt.ts';

/** Tools that read or change the file they name. */
const FILE_TOOLS = new Set(['read_file', 'create_file', 'edit_file', 'rename_file', 'get_diagnostics']);

/** How many files are considered, the most recent ones. */
const MAX_TOUCHED = 100;

/** The names of the files that a question and its path are about: attached, read or edited. */
export function touchedFiles(path: readonly UIMessage[], attached: readonly UIMessagePart[]): string[] {
  const found = new Set<string>();
  const all = [...path.map(({ parts }) => parts), attached];
  for (const parts of all.reverse()) {
    for (const part of parts.toReversed()) {
      for (const name of filesOf(part)) found.add(name);
      if (found.size >= MAX_TOUCHED) return [...found].slice(0, MAX_TOUCHED);
    }
  }
  return [...found];
}

function filesOf(part: UIMessagePart): readonly string[] {
  const file = attachedFileOf(part);
  if (file) return [file.path];
  const prompt = attachedPromptOf(part);
  if (prompt) return prompt.files ?? [];
  if (!isToolPart(part) || part.state !== 'output-available' || !FILE_TOOLS.has(toolNameOf(part))) return [];
  const { input } = part;
  return typeof input === 'object' && input !== null && 'path' in input && typeof input.path === 'string'
    ? [input.path]
    : [];
}
