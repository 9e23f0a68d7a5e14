import { tryParseJson } from '../../../base/tryParseJson.ts';
import type { FileLocation } from '../../../host/workspaceFiles.ts';
import type { ApprovalRequest, CommandPreview } from '../approvals.ts';
import type { ToolContext } from '../tool.ts';
import { namesIn } from './commandChanges.ts';
import type { CommandHost } from './commandTools.ts';
import { judgeCommand } from './judgeCommand.ts';
import type { Words } from './programsThatRunOthers.ts';
import { z } from 'zod';
import { sha256 } from '../../../engine/bytes.ts';
import type { GuardedFile, GuardedFiles } from '../../../host/guardedFiles.ts';
import { uriBelow } from '../../../host/fileUri.ts';

export interface AskedCommand {
  readonly command: string;
  readonly folder: FileLocation;
  /** The folder, as the user names it. */
  readonly shownFolder: string;
}

type CommandRequest = ApprovalRequest & { readonly command: CommandPreview };

/** Asks the user to approve a command, unless they did so before. @throws DeniedError */
export async function approveCommand(
  host: CommandHost,
  context: Pick<ToolContext, 'approve' | 'files' | 'isAllowed'>,
  { command, folder, shownFolder }: AskedCommand,
): Promise<void> {
  const { allowed, guarded, shell } = host;
  const { files } = context;
  const judged = judgeCommand(command, shell());
  const asked = { text: command, folder: shownFolder };
  if (judged.kind === 'each-time') {
    await ask(host, context, { kind: 'command', command: { ...asked, eachTime: judged.reason } });
    return;
  }
  const scripts = await scriptFiles(judged.commands, folder, guarded);
  const isListed =
    !judged.writesFile && judged.commands.every((words) => beginsWithOne(words, allowed(), shell()));
  if (isListed && !isAnyOf(scripts?.files ?? [], (await files?.changed()) ?? [])) return;
  // An answer applies to these exact scripts: when they change, it is another command.
  const family = `command:${JSON.stringify([folder.folder, folder.path, shell(), command])}`;
  const request: CommandRequest = {
    kind: `${family}:${scripts?.digest ?? ''}`,
    family,
    command: isListed ? { ...asked, haveScriptsChanged: true } : asked,
  };
  await ask(host, context, request);
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

/** Whether the words start with one of the user's allowed prefixes. Only a plain command can match. */
function beginsWithOne(words: Words, allowed: readonly string[], shell: string): boolean {
  return allowed.some((entry) => {
    const judged = judgeCommand(entry, shell);
    const [beginning, ...more] = judged.kind === 'plain' ? judged.commands : [];
    return (
      beginning !== undefined && more.length === 0 && beginning.every((word, index) => words[index] === word)
    );
  });
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
 * What decides what commands run besides the commands: the scripts of the nearest `package.json`, and the files they
 * name. Undefined when none of them runs scripts, or there is no such file.
 */
async function scriptFiles(
  commands: readonly Words[],
  folder: FileLocation,
  guarded: GuardedFiles,
): Promise<ScriptFiles | undefined> {
  if (!commands.some(([program]) => runsScripts.has(program))) return undefined;
  const found = await nearestPackage(folder, guarded);
  if (!found) return undefined;
  const named = Object.values(found.scripts).flatMap((script) => script.split(/[\s"';&|()=]+/));
  const texts = [JSON.stringify(found.scripts)];
  const files: FileLocation[] = [found.at];
  for (const name of [...new Set(named)].filter((each) => each !== '').slice(0, MAX_FILES)) {
    const read = await readBelow(found.folder, name, found.at.folder, guarded);
    if (!read) continue;
    files.push(read.at);
    texts.push(name, read.text);
  }
  return { files, digest: await sha256(new TextEncoder().encode(JSON.stringify(texts))) };
}

async function nearestPackage(
  { folder, path }: FileLocation,
  guarded: GuardedFiles,
): Promise<{ at: FileLocation; folder: string; scripts: Record<string, string> } | undefined> {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const at = parts.slice(0, depth).join('/');
    const read = await readBelow(at, 'package.json', folder, guarded);
    if (!read) continue;
    const { data } = packageFile.safeParse(tryParseJson(read.text));
    return { at: read.at, folder: at, scripts: data?.scripts ?? {} };
  }
  return undefined;
}

async function readBelow(
  below: string,
  name: string,
  folder: string,
  guarded: GuardedFiles,
): Promise<{ at: FileLocation; text: string } | undefined> {
  try {
    const path = [below, name].filter((part) => part !== '').join('/');
    const at: GuardedFile = await guarded.resolve({ uri: uriBelow(folder, path) });
    return { at, text: new TextDecoder().decode(await guarded.read(at, MAX_SIZE)) };
  } catch {
    // A path outside the workspace files adds nothing that was not there before.
    return undefined;
  }
}
