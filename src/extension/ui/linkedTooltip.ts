import * as vscode from 'vscode';
import { inertMarkdown } from './inertText.ts';
import { tooltip } from './tooltip.ts';

/** A heading and paragraphs as a tooltip has them, with commands below as links. Only these are run. */
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
