import { tryParseJson } from '../../../base/tryParseJson.ts';
import { WorkspaceFileError, type FileLocation } from '../../../host/workspaceFiles.ts';
import type { ApprovalRequest, CommandPreview } from '../approvals.ts';
import type { ToolContext } from '../tool.ts';
import { namesIn } from './commandChanges.ts';
import type { CommandHost } from './commandTools.ts';
import { isCovered, judgeCommand, type EachTimeReason, type PlainCommand } from './judgeCommand.ts';
import { isKnownHarmless, isProtectedPlace, valuesIn, type Words } from './knownPrograms.ts';
import { z } from 'zod';
import { sha256 } from '../../../engine/bytes.ts';
import type { GuardedFile, GuardedFiles } from '../../../host/guardedFiles.ts';
import { uriBelow } from '../../../host/fileUri.ts';
import { isSecretName } from '../../../host/protectedFiles.ts';

export interface AskedCommand {
  readonly command: string;
  readonly folder: FileLocation;
  /** The folder, as the user names it. */
  readonly shownFolder: string;
  /** It is to leave the sandbox: that is asked for each time. */
  readonly leavesSandbox?: boolean;
}

type CommandRequest = ApprovalRequest & { readonly command: CommandPreview };

/**
 * Asks the user to approve a command, unless they did so before. What the question is about may change while it is
 * open: an edited script or a link that now leads elsewhere is asked about again.
 * @throws DeniedError
 */
export async function approveCommand(
  host: CommandHost,
  context: Pick<ToolContext, 'approve' | 'files' | 'isAllowed'>,
  asked: AskedCommand,
): Promise<void> {
  let approved: string | undefined;
  for (;;) {
    const request = await requestFor(host, context, asked);
    if (!request || request.kind === approved) return;
    await ask(host, context, request);
    approved = request.kind;
  }
}

/** The question, as the files are now; undefined: the user's setting allows the command. */
async function requestFor(
  { allowed, guarded, shell }: CommandHost,
  { files }: Pick<ToolContext, 'files'>,
  { command, folder, shownFolder, leavesSandbox }: AskedCommand,
): Promise<CommandRequest | undefined> {
  const judged = judgeCommand(command, shell(), folder.path);
  const asked = { text: command, folder: shownFolder, ...(leavesSandbox ? { leavesSandbox } : {}) };
  const each = (eachTime: EachTimeReason) => ({ kind: 'command', command: { ...asked, eachTime } });
  if (judged.kind === 'each-time') return each(judged.reason);
  const reason = await reasonOfFiles(judged, folder, guarded);
  if (reason !== undefined) return each(reason);
  const scripts = await scriptFiles(judged.commands, folder, guarded);
  const isListed = isCovered(judged, allowed(), shell());
  if (isListed && !leavesSandbox && !isAnyOf(scripts?.files ?? [], (await files?.changed()) ?? []))
    return undefined;
  // An answer applies to these exact scripts: when they change, it is another command.
  const family = `command:${JSON.stringify([folder.folder, folder.path, shell(), command])}`;
  return {
    kind: `${family}:${scripts?.digest ?? ''}`,
    family,
    command: isListed && !leavesSandbox ? { ...asked, haveScriptsChanged: true } : asked,
  };
}

/** Also says what a rewind would not restore, if there is a question: to find that out takes a moment. */
async function ask(
  { guarded, watch }: CommandHost,
  { approve, isAllowed }: Pick<ToolContext, 'approve' | 'isAllowed'>,
  request: CommandRequest,
): Promise<void> {
  if (isAllowed(request)) return;
  const found = await (await watch()).unwatched(guarded.folders());
  const unwatched = found ? found.map(namesIn(guarded)) : ('everything' as const);
  await approve({ ...request, command: { ...request.command, unwatched } });
}

/** Links may lead to what no word of the command shows. */
async function reasonOfFiles(
  { places, names }: PlainCommand,
  folder: FileLocation,
  guarded: GuardedFiles,
): Promise<EachTimeReason | undefined> {
  for (const place of places) {
    const { at } = await resolveBelow(folder, place, guarded);
    if (!at || isProtectedPlace(place.endsWith('/.') ? `${at.path}/.` : at.path, ''))
      return 'writes-protected';
  }
  for (const name of new Set(names)) {
    const { at, isInRepository } = await resolveBelow(folder, name, guarded);
    const isThere = at?.identity.file !== undefined;
    if (at ? at.isSecret && isThere : isInRepository || (name.includes('/') && isSecretName(name))) {
      return 'reads-secret';
    }
  }
  return undefined;
}

function valuesOf(commands: readonly Words[]): Set<string> {
  return new Set(commands.flatMap(([, ...args]) => args.flatMap(valuesIn)));
}

function isAnyOf(files: readonly FileLocation[], others: readonly FileLocation[]): boolean {
  return files.some((a) => others.some((b) => a.folder === b.folder && a.path === b.path));
}

const runsScripts = new Set(['npm', 'pnpm', 'yarn']);

const packageFile = z.looseObject({ scripts: z.record(z.string(), z.string()).catch({}) });

/** The largest file that is read, in bytes, and how many files. */
const MAX_SIZE = 1_000_000;
const MAX_FILES = 50;

interface ScriptFiles {
  readonly files: readonly FileLocation[];
  readonly digest: string;
}

/**
 * What decides what commands run besides the commands: files that they name, unless they are known to be harmless, the
 * scripts of the nearest `package.json`, and the files these name. Undefined when there is nothing of the kind.
 */
async function scriptFiles(
  commands: readonly Words[],
  folder: FileLocation,
  guarded: GuardedFiles,
): Promise<ScriptFiles | undefined> {
  const found = commands.some(([program]) => runsScripts.has(program))
    ? await nearestPackage(folder, guarded)
    : undefined;
  const inScripts = Object.values(found?.scripts ?? {}).flatMap((script) => script.split(/[\s"';&|()=]+/));
  const candidates = [
    ...named(valuesOf(commands.filter((words) => !isKnownHarmless(words))), folder),
    ...(found ? named(new Set(inScripts), found.folder) : []),
  ];
  const texts = found ? [JSON.stringify(found.scripts)] : [];
  const files: FileLocation[] = found ? [found.at] : [];
  for (const { name, from } of candidates) {
    const read = await readBelow(from, name, guarded);
    if (!read) continue;
    files.push(read.at);
    texts.push(name, read.text);
  }
  if (files.length === 0) return undefined;
  return { files, digest: await sha256(new TextEncoder().encode(JSON.stringify(texts))) };
}

function named(names: ReadonlySet<string>, from: FileLocation): { name: string; from: FileLocation }[] {
  return [...names]
    .filter((name) => name !== '')
    .slice(0, MAX_FILES)
    .map((name) => ({ name, from }));
}

async function nearestPackage(
  { folder, path }: FileLocation,
  guarded: GuardedFiles,
): Promise<{ at: FileLocation; folder: FileLocation; scripts: Record<string, string> } | undefined> {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const at = { folder, path: parts.slice(0, depth).join('/') };
    const read = await readBelow(at, 'package.json', guarded);
    if (!read) continue;
    const { data } = packageFile.safeParse(tryParseJson(read.text));
    return { at: read.at, folder: at, scripts: data?.scripts ?? {} };
  }
  return undefined;
}

/** Undefined for what is no file of the workspace folders: such a path adds nothing that was not there before. */
async function readBelow(
  from: FileLocation,
  name: string,
  guarded: GuardedFiles,
): Promise<{ at: FileLocation; text: string } | undefined> {
  const { at } = await resolveBelow(from, name, guarded);
  if (!at) return undefined;
  try {
    return { at, text: new TextDecoder().decode(await guarded.read(at, MAX_SIZE)) };
  } catch {
    return undefined;
  }
}

interface Resolved {
  /** Undefined: it is no path in the workspace folders. */
  readonly at?: GuardedFile;
  readonly isInRepository: boolean;
}

async function resolveBelow(
  { folder, path }: FileLocation,
  name: string,
  guarded: GuardedFiles,
): Promise<Resolved> {
  if (/^[/~]/u.test(name)) return { isInRepository: false };
  try {
    const below = [path, name].filter((part) => part !== '').join('/');
    return { at: await guarded.resolve({ uri: uriBelow(folder, below) }), isInRepository: false };
  } catch (error) {
    return { isInRepository: error instanceof WorkspaceFileError && error.code === 'git-repository' };
  }
}
