import { z } from 'zod';
import { WRITE } from '../approvals.ts';
import type { GuardedFile, GuardedFiles } from '../../../host/guardedFiles.ts';
import { defineTool, type FileWriter, type ToolContext } from '../tool.ts';
import { ToolError } from '../toolError.ts';
import { guarded } from './guarded.ts';
import { readWhole, askToRead, pathInput } from './readTools.ts';
import type { Replacement } from './replaceOnce.ts';
import type { WorkspaceHost } from './workspaceHost.ts';

/** The longest text that is written in one call, in UTF-16 units. */
const MAX_CONTENT = 2_000_000;

const MAX_EDITS = 100;

export const writeTools = (host: WorkspaceHost) =>
  [
    createFile(host, host.guarded),
    editFile(host, host.guarded),
    deleteFile(host, host.guarded),
    renameFile(host, host.guarded),
    createFolder(host.guarded),
  ] as const;

export const createFileInput = z.object({ path: pathInput, content: z.string().max(MAX_CONTENT) });

function createFile(host: WorkspaceHost, guard: GuardedFiles) {
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

const replacement = z.object({
  oldText: z.string().min(1).max(MAX_CONTENT),
  newText: z.string().max(MAX_CONTENT),
});

/** One replacement, or several. */
export const editFileInput = z.object({
  path: pathInput,
  ...replacement.partial().shape,
  edits: z.array(replacement).min(1).max(MAX_EDITS).optional(),
});

/** @throws ToolError if both forms are used, or neither */
export function replacementsIn({
  oldText,
  newText,
  edits,
}: z.infer<typeof editFileInput>): readonly Replacement[] {
  const one = oldText === undefined || newText === undefined ? undefined : { oldText, newText };
  const isUnclear = (oldText ?? newText) !== undefined && edits !== undefined;
  const asked = one ? [one] : edits;
  if (isUnclear || !asked) throw new ToolError('Give either oldText and newText, or edits.', 'invalid-input');
  return asked;
}

function editFile(host: WorkspaceHost, guard: GuardedFiles) {
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

function deleteFile(host: WorkspaceHost, guard: GuardedFiles) {
  return defineTool({
    name: 'delete_file',
    description: 'Deletes one file of the workspace.',
    input: z.object({ path: pathInput }),
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

function renameFile(host: WorkspaceHost, guard: GuardedFiles) {
  return defineTool({
    name: 'rename_file',
    description: 'Renames or moves one file of the workspace, and makes the folders it needs.',
    input: z.object({ from: pathInput, to: pathInput }),
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

function createFolder(guard: GuardedFiles) {
  return defineTool({
    name: 'create_folder',
    description: 'Makes an empty folder in the workspace. For files, create_file makes the folders itself.',
    input: z.object({ path: pathInput }),
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
  context: ToolContext,
  { at, before, beforeText, after, isUnsaved = false }: Write,
): Promise<void> {
  const files = writerOf(context);
  const { shown, uri } = at;
  await context.approve({
    kind: WRITE,
    protection: at.protection,
    preview: { shown, uri, before: beforeText, after, isUnsaved },
  });
  context.signal.throwIfAborted();
  const changed = new ToolError(
    `${shown} was changed in the editor after it was read. Read it again.`,
    'unsaved-changes',
  );
  const unsaved = host.unsaved(uri);
  if (unsaved && !(isUnsaved && unsaved.text === beforeText)) throw changed;
  // If it was saved during the approval, the disk holds what was shown.
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
