import * as vscode from 'vscode';
import { z } from 'zod';
import { shellName } from '../../host/commandShells.ts';
import type { Environment } from '../../models/messages/environment.ts';
import { workspaceFolders } from '../files/openFolders.ts';

// Objects of another extension are checked, not copied: their methods belong to them.
const gitExtension = z.custom<{ getAPI(version: 1): unknown }>(
  (value) => typeof value === 'object' && value !== null && 'getAPI' in value,
);
const repositories = z.object({
  repositories: z.array(
    z.object({
      rootUri: z.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
      state: z.object({ HEAD: z.object({ name: z.string().optional() }).optional() }),
    }),
  ),
});

/** @param system the name of the operating system @param hasCommands whether models can run commands */
export function currentEnvironment(system: string, hasCommands: boolean): Environment {
  const branches = currentBranches();
  return {
    date: localDay(new Date()),
    system,
    ...(hasCommands ? { shell: shellName(vscode.env.shell) } : {}),
    folders: workspaceFolders().map(({ name, uri }) => {
      const branch = branches.get(uri);
      return { name, ...(branch === undefined ? {} : { branch }) };
    }),
  };
}

/** By the URI of the folder. A question does not wait for VS Code's git extension, which may still be starting. */
function currentBranches(): ReadonlyMap<string, string> {
  const extension = vscode.extensions.getExtension<unknown>('vscode.git');
  if (extension?.isActive !== true) return new Map();
  const api = gitExtension.safeParse(extension.exports).data;
  const found = repositories.safeParse(apiOf(api)).data?.repositories ?? [];
  return new Map(
    found.flatMap(({ rootUri, state: { HEAD: head } }) =>
      head?.name === undefined ? [] : [[rootUri.toString(), head.name] as const],
    ),
  );
}

function apiOf(extension: { getAPI(version: 1): unknown } | undefined): unknown {
  try {
    return extension?.getAPI(1);
  } catch {
    // It throws while git is turned off.
    return undefined;
  }
}

function localDay(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
