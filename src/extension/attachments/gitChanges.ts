import * as vscode from 'vscode';
import { z } from 'zod';

/** The part of the API of VS Code's own git extension that is used; its version 1 is documented as stable. */
interface GitRepository {
  diff(cached?: boolean): Promise<string>;
}

interface GitApi {
  readonly repositories: readonly GitRepository[];
}

// Objects of another extension are checked, not copied: their methods belong to them.
const gitExtension = z.custom<{ getAPI(version: 1): unknown }>((value) => hasMember(value, 'getAPI'));
const gitApi = z.custom<GitApi>((value) => hasMember(value, 'repositories'));

/** What git lists as changed since the last commit, staged or not, in all repositories VS Code has open. */
export async function gitChanges(): Promise<string> {
  const extension = vscode.extensions.getExtension<unknown>('vscode.git');
  const { data } = gitExtension.safeParse(await extension?.activate());
  const api = gitApi.safeParse(data?.getAPI(1)).data;
  const diffs = await Promise.all(
    (api?.repositories ?? []).flatMap((each) => [each.diff(true), each.diff(false)]),
  );
  return diffs.filter((diff) => diff !== '').join('\n');
}

function hasMember(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && name in value;
}
