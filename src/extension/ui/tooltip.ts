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

/** The same, with commands below it as links. Only these are run. */
export function linkedTooltip(
  heading: string,
  paragraphs: readonly string[],
  links: readonly vscode.Command[],
): vscode.MarkdownString {
  const shown = links.map(({ command, title, arguments: given = [] }) => {
    const address = `command:${command}?${encodeURIComponent(JSON.stringify(given))}`;
    return `[${inertMarkdown(title)}](${address})`;
  });
  const made = new vscode.MarkdownString(
    [tooltip(heading, ...paragraphs).value, shown.join(' &nbsp;|&nbsp; ')].join('\n\n'),
  );
  made.isTrusted = { enabledCommands: links.map(({ command }) => command) };
  return made;
}

export function plainTooltip(...paragraphs: string[]): vscode.MarkdownString {
  return new vscode.MarkdownString(
    paragraphs
      .map(inertMarkdown)
      .filter((paragraph) => paragraph !== '')
      .join('\n\n'),
  );
}
