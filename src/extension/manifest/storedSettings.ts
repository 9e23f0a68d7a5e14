import * as vscode from 'vscode';

export const SECTION = 'offshoot';

export function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(SECTION);
}

/** The name under which a memory has what lists remember. */
export function keyOf(name: string): string {
  return `${SECTION}.setting.${name}`;
}

/**
 * What lists remember, unparsed, or else what the user wrote into settings.json under that name.
 * @param isOfWorkspace a repository may have its own
 */
export function rememberedSetting(memory: vscode.Memento, name: string, isOfWorkspace = false): unknown {
  const remembered = memory.get<unknown>(keyOf(name));
  if (remembered !== undefined) return remembered;
  // VS Code does not guard names that it does not know: those of a repository count only where they do no harm. One
  // has a default where another extension declares it.
  const written = configuration().inspect<unknown>(name);
  const ofWorkspace = isOfWorkspace ? written?.workspaceValue : undefined;
  return ofWorkspace ?? written?.globalValue ?? written?.defaultValue;
}
