import * as vscode from 'vscode';
import { attachedContextOf } from '../../agent/attachments/attachedContext.ts';
import { attachedFileOf } from '../../agent/attachments/attachedFile.ts';
import {
  attachedPromptOf,
  sentInstructionsOf,
  type AttachedPrompt,
} from '../../agent/attachments/addedParts.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { AttachedView } from '../../protocol/views.ts';
import { imageOf, pdfOf } from '../context/attachedFiles.ts';
import { modeText } from '../tools/selectedMode.ts';

/** Undefined for parts of other kinds. */
export function attachedView(part: UIMessagePart): AttachedView | undefined {
  const image = imageOf(part);
  if (image) return image;
  const pdf = pdfOf(part);
  if (pdf) {
    const { name, size, pages } = pdf;
    return {
      type: 'pdf',
      name,
      ...(size === undefined ? {} : { size }),
      ...(pages === undefined ? {} : { pages }),
    };
  }
  const file = attachedFileOf(part);
  if (file) return { type: 'file', ...file };
  const prompt = attachedPromptOf(part);
  if (prompt) return promptView(prompt);
  const instructions = sentInstructionsOf(part);
  if (instructions) return { type: 'instructions', path: instructions.path, ...shortened(instructions) };
  const context = attachedContextOf(part);
  return context && { type: 'context', of: context.of, name: context.name, ...shortened(context) };
}

function promptView(prompt: AttachedPrompt): AttachedView {
  const { name, path, mode, model, tools, missing } = prompt;
  const settings = [
    ...(mode === undefined ? [] : [modeText(mode).label]),
    ...(model === undefined ? [] : [model.slice(model.indexOf(':') + 1)]),
    ...(tools === undefined
      ? []
      : [tools.length === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', tools.length)]),
  ];
  return {
    type: 'prompt',
    name,
    path,
    ...(settings.length > 0 ? { settings } : {}),
    ...(missing ? { missing } : {}),
    ...shortened(prompt),
  };
}

function shortened({ leftOut }: { readonly leftOut?: number | undefined }): { readonly leftOut?: number } {
  return leftOut === undefined ? {} : { leftOut };
}
