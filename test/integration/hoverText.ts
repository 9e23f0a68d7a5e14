import * as vscode from 'vscode';

/** What the extensions of the window say over a line, from 0. */
export async function hoverText(file: vscode.Uri, line: number): Promise<string> {
  const found = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    file,
    new vscode.Position(line, 3),
  );
  return found
    .flatMap(({ contents }) => contents)
    .map((each) => (each instanceof vscode.MarkdownString ? each.value : ''))
    .join('\n');
}
