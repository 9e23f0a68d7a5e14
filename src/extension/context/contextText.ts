import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { ContextAttachment } from '../../protocol/attachments.ts';
import { foundFiles } from '../files/folderSearch.ts';
import { isFile } from '../files/openFolders.ts';
import { z } from 'zod';

const MAX_LISTED = 1_000;

const NOT_LISTED = '**/{node_modules,.git}/**';

const severities = ['error', 'warning', 'info', 'hint'] as const;

/** The text of an attachment for a model, and a description of it, in English. */
export interface ContextText {
  readonly about: string;
  readonly text: string;
}

/** @throws OffshootError if there is no text */
export async function contextText(
  files: GuardedFiles,
  { of, name, text = '' }: ContextAttachment,
): Promise<ContextText> {
  switch (of) {
    case 'folder':
      return { about: `the list of the files in ${name}`, text: await listed(files, name) };
    case 'problems':
      return { about: 'the problems the editor shows', text: await problems(files) };
    case 'changes': {
      const changes = await gitChanges();
      if (changes === '') throw nothing(vscode.l10n.t('Git knows of no changes here.'));
      return { about: 'the changes since the last commit', text: changes };
    }
    case 'text':
      return { about: name, text };
  }
}

async function listed(files: GuardedFiles, name: string): Promise<string> {
  const { uri } = await files.resolve(name);
  const found = await foundFiles('**/*', MAX_LISTED + 1, { folder: uri, exclude: NOT_LISTED });
  const named = await files.nameable(found.map((each) => each.toString()));
  if (named.length === 0) throw nothing(vscode.l10n.t('There are no files in {0}.', name));
  const paths = named.map(({ shown }) => shown).sort();
  return [...paths.slice(0, MAX_LISTED), ...(paths.length > MAX_LISTED ? ['…'] : [])].join('\n');
}

async function problems(files: GuardedFiles): Promise<string> {
  const all = vscode.languages.getDiagnostics().filter(([uri, found]) => isFile(uri) && found.length > 0);
  const named = await files.nameable(all.map(([uri]) => uri.toString()));
  const shown = new Map(named.map((file) => [file.uri, file.shown]));
  const lines = all.flatMap(([uri, found]) => {
    const path = shown.get(uri.toString());
    return path === undefined ? [] : found.map((each) => problemLine(path, each));
  });
  if (lines.length === 0) throw nothing(vscode.l10n.t('There are no problems.'));
  return lines.join('\n');
}

function problemLine(path: string, { range, severity, message, source }: vscode.Diagnostic): string {
  const from = source === undefined ? '' : ` (${source})`;
  return `${path}:${range.start.line + 1}: ${severities[severity]}: ${message}${from}`;
}

function nothing(text: string): OffshootError {
  return new OffshootError('nothing-to-attach', text);
}

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
async function gitChanges(): Promise<string> {
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
