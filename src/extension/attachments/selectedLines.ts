import type * as vscode from 'vscode';

/** The lines of a selection, from 1 and both included; undefined if nothing is selected. */
export function selectedLines(
  selection: vscode.Selection,
): { readonly startLine: number; readonly endLine: number } | undefined {
  if (selection.isEmpty) return undefined;
  // A last line of which only the start is selected does not count.
  const isAtStart = selection.end.character === 0 && selection.end.line > selection.start.line;
  return { startLine: selection.start.line + 1, endLine: selection.end.line + (isAtStart ? 0 : 1) };
}
