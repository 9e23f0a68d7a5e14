import { z } from 'zod';
import { branchSummaryOf } from '../engine/branchSummary.ts';
import { pathSummaryOf, type PathSummary } from '../engine/pathSummary.ts';
import type { FetchedPage } from '../engine/fetchedPages.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import {
  isReasoningPart,
  isTextPart,
  isToolPart,
  readUIMessage,
  stripReminders,
  toolNameOf,
  type UIMessage,
  type UIMessagePart,
} from '../engine/uiMessage.ts';
import { inertMarkdown } from './inertMarkdown.ts';

type ExportedMessage = Pick<PortableChat['messages'][number], 'name' | 'type' | 'data'>;
type Labeler = (branch: string) => string;

/** Other programs' messages have no such data. */
const ending = z.object({
  status: z.enum(['complete', 'interrupted', 'failed']).catch('complete'),
  error: z.object({ message: z.string() }).optional().catch(undefined),
});

/** Its text is only for the model. */
const attachedFile = z.object({
  type: z.literal('data-attached-file'),
  data: z.object({
    path: z.string(),
    startLine: z.number().optional(),
    endLine: z.number().optional(),
  }),
});

/** How much of one value in a tool's input is written, in UTF-16 units, and of how many values. */
const VALUE_LENGTH = 80;
const VALUES = 3;

/** In UTF-16 units. */
const REASON_LENGTH = 300;

/** Whether a message has readable content: nodes that only keep state, or reminders for the model, have none. */
export function isShown(message: ExportedMessage): boolean {
  const isSpoken = message.type !== 'internal' && message.name !== 'reminder';
  return isSpoken || shownText(message) !== '';
}

/** One message under a heading with its author, and its ending if it did not end normally. */
export function messageAsMarkdown(
  message: ExportedMessage,
  checkpoints: readonly string[] = [],
  labelOf: Labeler = (branch) => branch,
): string {
  const read = message.type === 'internal' ? undefined : readUIMessage(message.data);
  const marks = checkpoints.map((name) => `> Checkpoint: ${oneLine(name)}`);
  return [...(read ? conversationMarkdown(message.name, read, labelOf) : rawAsMarkdown(message)), ...marks]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The web pages an answer uses, as links that load nothing. */
export function sourcesAsMarkdown(pages: readonly FetchedPage[]): string[] {
  if (pages.length === 0) return [];
  const lines = pages.map(({ url, title }) => {
    const { href, host } = new URL(url);
    // A serialized URL contains none of these.
    const address = href.replaceAll(/[<>\s]/gu, encodeURIComponent);
    return `- [${title.trim() === '' ? oneLine(host) : oneLine(title)}](<${address}>)`;
  });
  return [`Sources:\n\n${lines.join('\n')}`];
}

/** The text of a message, without parts that are only for the model. */
export function shownText({ data }: ExportedMessage): string {
  if (typeof data === 'string') return data;
  const read = readUIMessage(data);
  if (!read) return '';
  const report = branchSummaryOf(read)?.report ?? pathSummaryOf(read)?.text;
  return (
    report ??
    stripReminders(read)
      .parts.filter(isTextPart)
      .map(({ text }) => text)
      .join(' ')
  );
}

/** One line without Markdown syntax. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>#|]/g, '\\$&');
}

function rawAsMarkdown(message: ExportedMessage): string[] {
  return [heading(message.name), inertMarkdown(shownText(message))];
}

function conversationMarkdown(name: string, message: UIMessage, labelOf: Labeler): string[] {
  const report = branchSummaryOf(message);
  if (report) return [`### Report: ${oneLine(report.goal)}`, inertMarkdown(report.report)];
  const summary = pathSummaryOf(message);
  if (summary) return [`### ${summaryTitle(summary, labelOf)}`, inertMarkdown(summary.text)];
  const parts = stripReminders(message).parts.flatMap(partAsMarkdown);
  return [heading(name), ...parts, ...(name === 'assistant' ? endOf(message) : [])];
}

function heading(name: string): string {
  const who = name === 'user' ? 'You' : name === 'assistant' ? 'Assistant' : name;
  return `### ${oneLine(who)}`;
}

function summaryTitle({ kind, model, source: { branch, count } }: PathSummary, labelOf: Labeler): string {
  const messages = count === 1 ? '1 message' : `${count} messages`;
  switch (kind) {
    case 'up-to-here':
      return `Summary of the ${messages} before`;
    case 'compacted':
      return `Compacted: what the model is sent in place of ${messages}`;
    case 'from-here':
      return `Summary of the ${messages} that came after`;
    case 'brought-back':
      return `Summary of branch ${oneLine(labelOf(branch))}`;
    case 'note':
      return `Note from ${oneLine(model ?? 'another program')}`;
  }
}

function endOf({ metadata }: UIMessage): string[] {
  const { status, error } = ending.safeParse(metadata).data ?? {};
  if (status === 'failed') {
    return [`> **This response failed.** ${error ? oneLine(error.message) : ''}`.trimEnd()];
  }
  return status === 'interrupted' ? ['> **This response was stopped before its end.**'] : [];
}

function partAsMarkdown(part: UIMessagePart): string[] {
  if (isTextPart(part)) return [inertMarkdown(part.text)];
  if (isReasoningPart(part)) {
    return [`<details><summary>Reasoning</summary>\n\n${inertMarkdown(part.text)}\n\n</details>`];
  }
  if (isToolPart(part)) return [toolAsMarkdown(part)];
  const attached = attachedFileText(part);
  if (attached !== undefined) return [`> File: ${oneLine(attached)}`];
  return part.type === 'file' ? [`> File: ${oneLine(part.filename ?? part.mediaType)}`] : [];
}

/** An attached file and which lines of it; undefined for other kinds of parts. */
export function attachedFileText(part: UIMessagePart): string | undefined {
  const { path, startLine, endLine } = attachedFile.safeParse(part).data?.data ?? {};
  if (path === undefined || startLine === undefined) return path;
  return `${path}, lines ${startLine} to ${endLine ?? 'the end'}`;
}

/** A tool's input, and how the call ended; the result is for the model. */
function toolAsMarkdown(part: Extract<UIMessagePart, { toolCallId: string }>): string {
  const values = valuesOf(part.input);
  const called = `> Tool: ${oneLine(toolNameOf(part))}${values === '' ? '' : ` (${values})`}`;
  switch (part.state) {
    case 'output-available':
      return called;
    case 'output-error': {
      const reason = oneLine(part.errorText.slice(0, REASON_LENGTH).toWellFormed());
      return `${called}\n>\n> Failed${reason === '' ? '' : `: ${reason}`}`;
    }
    case 'output-denied':
      return `${called}\n>\n> Denied`;
    default:
      return `${called}\n>\n> Not finished`;
  }
}

function valuesOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  return Object.entries(input)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, VALUES)
    .map(([key, value]) => {
      const text = String(value);
      const isLong = text.length > VALUE_LENGTH || text.includes('\n');
      return `${oneLine(key)}: ${isLong ? `${text.length} characters` : oneLine(text)}`;
    })
    .join(', ');
}
