import { WRITE } from '../approvals.ts';
import type { GuardedFile, GuardedFiles } from '../../../platform/guardedFiles.ts';
import { defineTool, type AgentTool, type ToolContext } from '../tool.ts';
import { ToolError } from '../toolError.ts';
import { guarded } from './guarded.ts';
import { readWhole, askToRead } from './readTools.ts';
import { createFileInput, editFileInput, replacementsIn } from './writeToolInput.ts';
import type { WorkspaceHost } from './workspaceHost.ts';

/** Tools that change workspace files, each time with the user's approval. */
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
      const unsaved = host.unsaved(at.uri);
      if (unsaved?.isUtf8 === false) {
        throw new ToolError(
          `${at.shown} is not saved, and will not be in UTF-8. Ask the user to save it.`,
          'binary',
        );
      }
      // Whether a text occurs in a file reveals its content.
      await askToRead(at, context);
      const onDisk = await readWhole(guard, at);
      const before = unsaved ? new TextEncoder().encode(unsaved.text) : onDisk;
      const beforeText = unsaved?.text ?? exactText(at, onDisk);
      const { replaceEach } = await host.loadEdits();
      const after = replaceEach(at.shown, beforeText, asked);
      await write(host, context, { at, before, beforeText, after, isUnsaved: unsaved !== undefined });
      const isSaved = unsaved ? ' What the user had not saved of it is saved with that.' : '';
      return { text: `Changed ${at.shown}.${isSaved}` };
    },
  });
}

interface Write {
  readonly at: GuardedFile;
  readonly before: Uint8Array | null;
  readonly beforeText: string | null;
  readonly after: string;
  /** The text before is in an editor, and not saved to disk. */
  readonly isUnsaved?: boolean;
}

async function write(
  host: WorkspaceHost,
  { approve, files, signal }: ToolContext,
  { at, before, beforeText, after, isUnsaved = false }: Write,
): Promise<void> {
  if (!files) throw new ToolError('Files cannot be written here.', 'no-writer');
  const { shown, uri } = at;
  await approve({
    kind: WRITE,
    protection: at.protection,
    preview: { shown, uri, before: beforeText, after, isUnsaved },
  });
  signal.throwIfAborted();
  const changed = new ToolError(
    `${shown} was changed in the editor meanwhile. Read it again.`,
    'unsaved-changes',
  );
  const unsaved = host.unsaved(uri);
  if (unsaved && !(isUnsaved && unsaved.text === beforeText)) throw changed;
  // It may have been saved in the meantime: then the disk holds what was shown.
  if (unsaved && before !== null && beforeText !== null) {
    await guarded(() =>
      files.recordEdit(at, before, async () => {
        if (!(await host.saveEdit(uri, beforeText, after))) throw changed;
      }),
    );
    return;
  }
  // Exactly what was shown is written, to the same place: the path is not resolved again.
  await guarded(() => files.write(at, before, new TextEncoder().encode(after)));
}

/** The exact text: a file that could not be written back byte for byte is not edited. */
function exactText(at: GuardedFile, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ToolError(`${at.shown} is not text in UTF-8 and cannot be edited.`, 'binary', { cause: error });
  }
}
