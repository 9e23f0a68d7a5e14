import { textOf, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { isUserTurn, pathSummaryOf } from '../../engine/pathSummary.ts';
import { branchSummaryOf } from '../../engine/branchSummary.ts';
import { attachedContextOf } from '../attachments/attachedContext.ts';
import { attachedFileOf } from '../attachments/attachedFile.ts';

/** The most of a message that any view shows, in UTF-16 units. */
const ENOUGH = 8_000;

/**
 * The visible beginning of a message: for a report or a summary its content, without the introduction for the model;
 * for an answer its words, without Markdown syntax. A question is kept as typed.
 */
export function plainText(message: UIMessage): string {
  const text = questionText(message).slice(0, ENOUGH);
  return isUserTurn(message) ? text : withoutMarkdown(text);
}

/** Removes Markdown syntax, except in fenced code blocks. */
function withoutMarkdown(text: string): string {
  let fence = '';
  const lines = text.split('\n').flatMap((line) => {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '' ? mark !== '' : mark.startsWith(fence)) {
      fence = fence === '' ? mark : '';
      return [];
    }
    if (fence !== '') return [line];
    return isRule(line) ? [] : [inline(block(line))];
  });
  return lines.join('\n');
}

/** A line between two parts, below a heading, or below the head of a table. */
function isRule(line: string): boolean {
  const signs = line.replaceAll(/\s/g, '');
  return /^(?:-{2,}|={2,}|\*{3,}|_{3,}|\|?(?::?-+:?\|)+(?::?-+:?)?)$/.test(signs);
}

function block(line: string): string {
  const words = line.replace(/^\s*(?:>\s?|#{1,6}\s+|[-*+]\s+(?:\[[ x]\]\s+)?)*/, '');
  const row = /^\s*\|(.*)\|\s*$/.exec(words)?.[1];
  return row === undefined
    ? words
    : row
        .split('|')
        .map((cell) => cell.trim())
        .join(' · ');
}

function inline(line: string): string {
  return line
    .replaceAll(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/(`+)(.+?)\1/g, '$2')
    .replaceAll(/(\*\*|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<!\w)__(?=\S)(.+?)(?<=\S)__(?![\w.])/g, '$1')
    .replaceAll(/(?<![\w*])([*_])(?=\S)([^*_]+?)(?<=\S)\1(?![\w*])/g, '$2');
}

/**
 * The text of a message for lists and titles: its own text, or the names of attachments sent without text. For a
 * report or a summary, omits the surrounding text that is only for the model.
 */
export function questionText(message: Pick<UIMessage, 'parts' | 'metadata'>): string {
  const text = branchSummaryOf(message)?.report ?? pathSummaryOf(message)?.text ?? textOf(message);
  return text.trim() === '' ? namesOfAttached(message.parts) : text;
}

/** The names of a question's attachments, in order; for a file the last part of its path. */
export function namesOfAttached(parts: readonly UIMessagePart[]): string {
  return parts
    .flatMap((part) => {
      const file = attachedFileOf(part);
      if (file) return [file.path.slice(file.path.lastIndexOf('/') + 1)];
      const context = attachedContextOf(part);
      if (context) return [context.name === '' ? context.of : context.name];
      return part.type === 'file' && 'filename' in part ? [part.filename] : [];
    })
    .join(', ');
}
