import * as vscode from 'vscode';
import { inertMarkdown } from './inertText.ts';

/** A heading, and paragraphs below it; all of it is shown as it is, not as Markdown. */
export function tooltip(heading: string, ...paragraphs: string[]): vscode.MarkdownString {
  return new vscode.MarkdownString(
    [`**${inertMarkdown(heading.replaceAll(/\s+/gu, ' ').trim())}**`, ...paragraphs.map(inertMarkdown)]
      .filter((paragraph) => paragraph !== '')
      .join('\n\n'),
  );
}

export function plainTooltip(...paragraphs: string[]): vscode.MarkdownString {
  return new vscode.MarkdownString(
    paragraphs
      .map(inertMarkdown)
      .filter((paragraph) => paragraph !== '')
      .join('\n\n'),
  );
}
