import { WRITE } from '../approvals.ts';
import type { GuardedFile, GuardedFiles } from '../../../platform/guardedFiles.ts';
import { defineTool, type AgentTool, type ToolContext } from '../tool.ts';
import { ToolError } from '../toolError.ts';
import { guarded } from './guarded.ts';
import { readWhole } from './readTools.ts';
import { askToRead } from './askToRead.ts';
import { createFileInput, editFileInput, replacementsIn } from './writeToolInput.ts';
import type { WorkspaceHost } from './workspaceHost.ts';

/** Tools that change files of the workspace, each time with the user's leave. */
export function writeTools(host: WorkspaceHost): readonly AgentTool[] {
  const { guarded: guard } = host;
  return [createFile(host, guard), editFile(host, guard)];
}

function createFile(host: WorkspaceHost, guard: GuardedFiles): AgentTool {
  return defineTool({
    name: 'create_file',
    description:
      'Makes a new text file in the workspace, and the folders it needs. Refuses where one is already.',
    input: createFileInput,
    mustFinish: true,
    run: async ({ path, content }, context) => {
      const at = await guarded(() => guard.resolveForWriting(path));
      if (at.identity.file !== undefined) {
        throw new ToolError(`There is a ${at.shown} already. Use edit_file to change it.`, 'exists');
      }
      const after = content.toWellFormed();
      await write(host, context, { at, before: null, beforeText: null, after });
      return { text: `Created ${at.shown}.` };
    },
  });
}

function editFile(host: WorkspaceHost, guard: GuardedFiles): AgentTool {
  return defineTool({
    name: 'edit_file',
    description:
      'Changes a text file of the workspace by replacing one piece of text. oldText has to be in the file exactly ' +
      'once, with the same blanks and line ends: take enough lines around the change to make it so. Several changes ' +
      'of one file go in edits instead: they are made in order, all of them or none.',
    input: editFileInput,
    mustFinish: true,
    run: async (input, context) => {
      const { path } = input;
      const asked = replacementsIn(input);
      const at = await guarded(() => guard.resolveForWriting(path));
      if (host.hasUnsavedChanges(at.uri)) {
        throw new ToolError(
          `The user has changes of ${at.shown} in the editor that are not saved. Ask them to save the file first.`,
          'unsaved-changes',
        );
      }
      // Whether a text is in it shows what is in it.
      await askToRead(at, context);
      const before = await readWhole(guard, at);
      const beforeText = exactText(at, before);
      const { replaceEach } = await host.loadEdits();
      const after = replaceEach(at.shown, beforeText, asked);
      await write(host, context, { at, before, beforeText, after });
      return { text: `Changed ${at.shown}.` };
    },
  });
}

interface Write {
  readonly at: GuardedFile;
  readonly before: Uint8Array | null;
  readonly beforeText: string | null;
  readonly after: string;
}

async function write(
  host: WorkspaceHost,
  { approve, files, signal }: ToolContext,
  { at, before, beforeText, after }: Write,
): Promise<void> {
  if (!files) throw new ToolError('Files cannot be written here.', 'no-writer');
  const { shown, uri } = at;
  await approve({
    kind: WRITE,
    protection: at.protection,
    preview: { shown, uri, before: beforeText, after },
  });
  signal.throwIfAborted();
  if (host.hasUnsavedChanges(uri)) {
    throw new ToolError(`${shown} was changed in the editor meanwhile. Read it again.`, 'unsaved-changes');
  }
  // What was shown is what is written, and where: the path is not resolved again.
  await guarded(() => files.write(at, before, new TextEncoder().encode(after)));
}

/** The text byte for byte: what could not be written back as it was is not edited. */
function exactText(at: GuardedFile, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ToolError(`${at.shown} is not text in UTF-8 and cannot be edited.`, 'binary', { cause: error });
  }
}
