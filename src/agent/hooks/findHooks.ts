import { sha256 } from '../../engine/bytes.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import { namesIn } from '../prompts/findPrompts.ts';
import { linkedPath } from '../prompts/promptBody.ts';
import { isUnreadable, readPromptText } from '../prompts/promptText.ts';
import type { Hook, HookScope, HooksFile, HookSystem } from './hook.ts';
import { readHooksFile, type HooksFormat } from './readHooksFile.ts';

const vscodeFormat: HooksFormat = { dialect: 'vscode', timeout: 30, isAmongSettings: false };
const claudeFormat: HooksFormat = { dialect: 'claude', timeout: 600, isAmongSettings: true };
const codexFormat: HooksFormat = { dialect: 'claude', timeout: 600, isAmongSettings: false };

/** A place of hooks: all JSON files of a folder, or one file. */
interface HooksPlace {
  readonly path: string;
  readonly format: HooksFormat;
}

/** Below a workspace folder, in the order in which they run. */
export const PROJECT_HOOKS: readonly HooksPlace[] = [
  { path: '.offshoot/hooks', format: vscodeFormat },
  { path: '.github/hooks', format: vscodeFormat },
  { path: '.claude/settings.json', format: claudeFormat },
  { path: '.claude/settings.local.json', format: claudeFormat },
  { path: '.codex/hooks.json', format: codexFormat },
];

/** Below the user's own folder. */
export const USER_HOOKS: readonly HooksPlace[] = [
  { path: '.offshoot/hooks', format: vscodeFormat },
  { path: '.copilot/hooks', format: vscodeFormat },
  { path: '.claude/settings.json', format: claudeFormat },
  { path: '.codex/hooks.json', format: codexFormat },
];

/** How many files are read in one folder, and how many scripts of one file. */
const MAX_FILES = 100;
const MAX_SCRIPTS = 100;

/** How many words of a command are taken for names. */
const MAX_WORDS = 500;

/** The largest script that is compared, in bytes. */
const MAX_SCRIPT = 2_000_000;

export interface HookPlaces {
  readonly project: GuardedFiles;
  /** The user's own folder, as its only folder; undefined where there is none. */
  readonly user: GuardedFiles | undefined;
}

export interface HookReading {
  readonly texts: FileTexts;
  /** Of JSON with comments. @returns undefined for what is none */
  readonly parse: (text: string) => unknown;
  readonly system: HookSystem;
}

/** The files that have hooks, those of the project first. What leads out of the folders is not read. */
export async function findHooks(places: HookPlaces, reading: HookReading): Promise<readonly HooksFile[]> {
  const found: HooksFile[] = [];
  for (const [scope, files] of [
    ['project', places.project],
    ['user', places.user],
  ] as const) {
    for (const { uri: folder } of files?.folders() ?? []) {
      if (files) found.push(...(await inFolder(scope, files, folder, reading)));
    }
  }
  return found;
}

async function inFolder(
  scope: HookScope,
  files: GuardedFiles,
  folder: string,
  reading: HookReading,
): Promise<HooksFile[]> {
  const found: HooksFile[] = [];
  for (const { path, format } of scope === 'project' ? PROJECT_HOOKS : USER_HOOKS) {
    const paths = path.endsWith('.json')
      ? [path]
      : (await namesIn(files, uriBelow(folder, path)))
          .filter((name) => /\.json$/iu.test(name))
          .slice(0, MAX_FILES)
          .map((name) => `${path}/${name}`);
    for (const each of paths) {
      const file = await readFile({ scope, files, folder }, each, format, reading);
      if (file) found.push(file);
    }
  }
  return found;
}

interface From {
  readonly scope: HookScope;
  readonly files: GuardedFiles;
  readonly folder: string;
}

/** Undefined where there is no such file, or no hook in it. */
async function readFile(
  from: From,
  path: string,
  format: HooksFormat,
  { texts, parse, system }: HookReading,
): Promise<HooksFile | undefined> {
  const { scope, files, folder } = from;
  try {
    const { at, text, problem } = await readPromptText(files, uriBelow(folder, path), texts);
    const read = problem
      ? ({ hooks: [], unknown: [], problem: 'unreadable' } as const)
      : readHooksFile(parse(text), format, system);
    // Settings of another program in which there is nothing of hooks.
    if (format.isAmongSettings && !text.includes('"hooks"')) return undefined;
    const { shown, uri } = at;
    const scripts = await scriptsOf(from, read.hooks);
    const digest = await digestOf([scope, path, text, [...scripts]]);
    return {
      scope,
      shown,
      uri,
      folder: scope === 'project' ? folder : undefined,
      ...read,
      scripts: [...scripts.keys()],
      digest,
    };
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

function digestOf(of: unknown): Promise<string> {
  return sha256(new TextEncoder().encode(JSON.stringify(of)));
}

/** The digests of the scripts that hooks name, by their paths. What those load in turn is not looked at. */
async function scriptsOf(from: From, hooks: readonly Hook[]): Promise<Map<string, string>> {
  const { files, folder } = from;
  const found = new Map<string, string>();
  for (const { command, cwd = '' } of hooks) {
    for (const word of command ? commandWords(command.text) : []) {
      if (found.size >= MAX_SCRIPTS) return found;
      for (const path of pathsOf(word, cwd, from)) {
        if (found.has(path)) continue;
        const digest = await scriptDigest(files, uriBelow(folder, path));
        if (digest !== undefined) found.set(path, digest);
      }
    }
  }
  return found;
}

async function scriptDigest(files: GuardedFiles, uri: string): Promise<string | undefined> {
  let at: GuardedFile;
  try {
    at = await files.resolve({ uri });
    if (at.identity.file === undefined) return undefined;
  } catch {
    // It leads out of the folders.
    return undefined;
  }
  try {
    const { bytes, size } = await files.readStart(at, MAX_SCRIPT);
    return `${size} ${await sha256(new Uint8Array(bytes))}`;
  } catch {
    // A folder, or what this user may not read.
    return undefined;
  }
}

/** What may be names of files in a command of any shell: also a name in quotes, whole. */
function commandWords(command: string): readonly string[] {
  const quoted = [...command.matchAll(/"([^"\n]+)"|'([^'\n]+)'/gu)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  const plain = command.replaceAll(/["']/gu, '').split(/[\s`;&|()<>=,]+/u);
  return [...new Set([...plain, ...quoted])].filter((word) => word !== '').slice(0, MAX_WORDS);
}

/** Variables that stand for the top of the project, or for the user's own folder. */
const PROJECT_FOLDER =
  /^(?:\$\{?(?:CLAUDE_PROJECT_DIR|OFFSHOOT_PROJECT_DIR)\}?|\$env:CLAUDE_PROJECT_DIR|%CLAUDE_PROJECT_DIR%)(?=[\\/])/u;
const OWN_FOLDER = /^(?:~|\$\{?HOME\}?|\$env:USERPROFILE|%USERPROFILE%)(?=[\\/])/u;

/** A word as paths below the folder, as far as it may be one. */
function pathsOf(word: string, cwd: string, { folder, scope }: From): string[] {
  const own = OWN_FOLDER.exec(word)?.[0];
  if (own !== undefined) return scope === 'user' ? below('', word.slice(own.length)) : [];
  const top = PROJECT_FOLDER.exec(word)?.[0];
  if (top !== undefined) return scope === 'project' ? below('', word.slice(top.length)) : [];
  const root = decodeURIComponent(new URL(folder).pathname);
  const rest = word.startsWith(`${root}/`) ? word.slice(root.length) : word;
  // What precedes a whole path may be a command that prints the top of the project; a command may change to it, too.
  return [...new Set([...(/^[\\/]/u.test(rest) ? [] : below(cwd, rest)), ...below('', rest)])];
}

function below(from: string, path: string): string[] {
  const found = linkedPath(from, path.replace(/^[\\/]+/u, ''));
  return found === undefined || found === '' ? [] : [found];
}
