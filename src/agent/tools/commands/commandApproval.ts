import type { FileLocation } from '../../../platform/workspaceFiles.ts';
import type { ApprovalRequest } from '../approvals.ts';
import type { ToolContext } from '../tool.ts';
import type { CommandHost } from './commandHost.ts';
import { judgeCommand } from './judgeCommand.ts';
import type { Words } from './programsThatRunOthers.ts';
import { scriptFiles } from './scriptFiles.ts';

export interface AskedCommand {
  readonly command: string;
  /** The folder it runs in. */
  readonly folder: FileLocation;
  /** The same, as the user names it. */
  readonly shownFolder: string;
}

/** Asks the user to approve a command, unless they did so before. @throws DeniedError */
export async function approveCommand(
  { allowed, guarded, shell }: CommandHost,
  { approve, files }: Pick<ToolContext, 'approve' | 'files'>,
  { command, folder, shownFolder }: AskedCommand,
): Promise<void> {
  const judged = judgeCommand(command, shell());
  const asked = { text: command, folder: shownFolder };
  if (judged.kind === 'each-time') {
    await approve({ kind: 'command', command: { ...asked, eachTime: judged.reason } });
    return;
  }
  const scripts = await scriptFiles(judged.commands, folder, guarded);
  const isListed =
    !judged.writesFile && judged.commands.every((words) => beginsWithOne(words, allowed(), shell()));
  if (isListed && !isAnyOf(scripts?.files ?? [], (await files?.changed()) ?? [])) return;
  // An answer applies to these exact scripts: when they change, it is another command.
  const family = `command:${JSON.stringify([folder.folder, folder.path, shell(), command])}`;
  const request: ApprovalRequest = {
    kind: `${family}:${scripts?.digest ?? ''}`,
    family,
    command: isListed ? { ...asked, haveScriptsChanged: true } : asked,
  };
  await approve(request);
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
