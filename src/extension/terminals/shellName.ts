import * as vscode from 'vscode';

/** The name of the program that reads commands, such as `bash`. */
export function shellName(): string {
  const name = vscode.env.shell.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  return name.endsWith('.exe') ? name.slice(0, -'.exe'.length) : name;
}
