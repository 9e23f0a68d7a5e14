import type { GuardedFile, GuardedFiles } from '../../../platform/guardedFiles.ts';
import { WRITE } from '../approvals.ts';
import { defineTool, type FileWriter, type AgentTool, type ToolContext } from '../tool.ts';
import { ToolError } from '../toolError.ts';
import { guarded } from './guarded.ts';
import { readWhole } from './readTools.ts';
import type { WorkspaceHost } from './workspaceHost.ts';
import { pathInput, renameFileInput } from './writeToolInput.ts';

/** Tools that create, move and delete workspace files, each time with the user's approval. */
export function arrangeTools(host: WorkspaceHost): readonly AgentTool[] {
  const { guarded: guard } = host;
  return [deleteFile(host, guard), renameFile(host, guard), createFolder(guard)];
}

function deleteFile(host: WorkspaceHost, guard: GuardedFiles): AgentTool {
  return defineTool({
    name: 'delete_file',
    description: 'Deletes one file of the workspace.',
    input: pathInput,
    mustFinish: true,
    run: async ({ path }, context) => {
      const files = writerOf(context);
      const at = await present(guard, path);
      refuseUnsaved(host, at);
      const before = await readWhole(guard, at);
      const { shown, uri, protection } = at;
      const preview = { shown, uri, before: shownText(before), after: null };
      await context.approve({ kind: WRITE, protection, preview });
      context.signal.throwIfAborted();
      refuseUnsaved(host, at);
      await guarded(() => files.write(at, before, null));
      return { text: `Deleted ${shown}.` };
    },
  });
}

function renameFile(host: WorkspaceHost, guard: GuardedFiles): AgentTool {
  return defineTool({
    name: 'rename_file',
    description: 'Renames or moves one file of the workspace, and makes the folders it needs.',
    input: renameFileInput,
    mustFinish: true,
    run: async ({ from, to }, context) => {
      const files = writerOf(context);
      const source = await present(guard, from);
      const target = await guarded(() => guard.resolveForWriting(to));
      if (target.identity.file !== undefined) {
        throw new ToolError(`There is a ${target.shown} already.`, 'exists');
      }
      refuseUnsaved(host, source);
      const content = await readWhole(guard, source);
      const text = shownText(content);
      await context.approve({
        kind: WRITE,
        protection: source.protection ?? target.protection,
        preview: { shown: `${source.shown} → ${target.shown}`, uri: source.uri, before: text, after: text },
      });
      context.signal.throwIfAborted();
      refuseUnsaved(host, source);
      await guarded(() => files.move(source, target, content));
      return { text: `Renamed ${source.shown} to ${target.shown}.` };
    },
  });
}

function createFolder(guard: GuardedFiles): AgentTool {
  return defineTool({
    name: 'create_folder',
    description: 'Makes an empty folder in the workspace. For files, create_file makes the folders itself.',
    input: pathInput,
    mustFinish: true,
    run: async ({ path }, context) => {
      const files = writerOf(context);
      const at = await guarded(() => guard.resolveForWriting(path));
      if (at.identity.file !== undefined) throw new ToolError(`There is a ${at.shown} already.`, 'exists');
      await context.approve({ kind: WRITE, protection: at.protection });
      context.signal.throwIfAborted();
      await guarded(() => files.makeFolder(at));
      return { text: `Created the folder ${at.shown}.` };
    },
  });
}

function writerOf({ files }: ToolContext): FileWriter {
  if (!files) throw new ToolError('Files cannot be written here.', 'no-writer');
  return files;
}

async function present(guard: GuardedFiles, path: string): Promise<GuardedFile> {
  const at = await guarded(() => guard.resolveForWriting(path));
  if (at.identity.file === undefined) throw new ToolError(`There is no ${at.shown}.`, 'not-found');
  return at;
}

function refuseUnsaved(host: WorkspaceHost, { uri, shown }: GuardedFile): void {
  if (!host.unsaved(uri)) return;
  throw new ToolError(
    `The user has changes of ${shown} in the editor that are not saved. Ask them to save the file first.`,
    'unsaved-changes',
  );
}

/** The text shown to the user for a deleted or moved file; empty if it is not text. */
function shownText(bytes: Uint8Array): string {
  return bytes.subarray(0, 8_000).includes(0) ? '' : new TextDecoder().decode(bytes);
}
