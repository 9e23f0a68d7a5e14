import { WRITE, type ApprovalRequest } from '../approvals.ts';
import type { GuardedFile, GuardedFiles } from '../../../host/guardedFiles.ts';
import { TextEncodingError } from '../../../host/textEncodingError.ts';
import type { FileWriter, ToolContext, ToolOutput } from '../tool.ts';
import { ToolError } from '../toolError.ts';
import { guarded } from './guarded.ts';
import { readWhole, askToRead } from './readTools.ts';
import type { Replacement } from './replaceOnce.ts';
import type { UnsavedText, WorkspaceHost } from './workspaceHost.ts';

// The work of the tools that write: it is loaded with the first call.

export async function writeFile(
  host: WorkspaceHost,
  { path, content }: { readonly path: string; readonly content: string },
  context: ToolContext,
): Promise<ToolOutput> {
  const guard = host.guarded;
  const at = await guarded(() => guard.resolveForWriting(path));
  const after = content.toWellFormed();
  if (at.identity.file === undefined) {
    const texts = await host.texts();
    const bytes = await encoded(at, () => texts.contentOfNew(at.uri, after));
    await write(host, context, { at, before: null, beforeText: null, after, bytes });
    return { text: `Created ${at.shown}.` };
  }
  const isSaved = await change(host, context, at, (text) => {
    const whole = withLineEndsOf(text, after);
    if (whole === text) throw new ToolError(`${at.shown} has exactly this content.`, 'no-change');
    return whole;
  });
  return { text: `Wrote ${at.shown}.${isSaved}` };
}

export async function editFile(
  host: WorkspaceHost,
  { path, edits }: { readonly path: string; readonly edits: readonly Replacement[] },
  context: ToolContext,
): Promise<ToolOutput> {
  const guard = host.guarded;
  const at = await guarded(() => guard.resolveForWriting(path));
  // Whether a text occurs in a file reveals its content.
  await askToRead(at, context);
  const { replaceEach } = await host.loadEdits();
  const isSaved = await change(host, context, at, (text) => replaceEach(at.shown, text, edits));
  return { text: `Changed ${at.shown}.${isSaved}` };
}

export async function deleteFile(
  host: WorkspaceHost,
  { path }: { readonly path: string },
  context: ToolContext,
): Promise<ToolOutput> {
  const guard = host.guarded;
  const files = writerOf(context);
  const at = await present(guard, path);
  await refuseUnsaved(host, at);
  const before = await readWhole(guard, at);
  const { shown, uri, isPlain } = at;
  const text = await shownText(host, at, before);
  const preview = { shown, uri, before: text, after: null, comesBackAsAnother: !isPlain };
  await context.approve({ ...writeRequest(host, at), preview });
  context.signal.throwIfAborted();
  await refuseUnsaved(host, at);
  await guarded(() => files.write(at, before, null));
  return { text: `Deleted ${shown}.` };
}

export async function renameFile(
  host: WorkspaceHost,
  { from, to }: { readonly from: string; readonly to: string },
  context: ToolContext,
): Promise<ToolOutput> {
  const guard = host.guarded;
  const files = writerOf(context);
  const source = await present(guard, from);
  const target = await guarded(() => guard.resolveForWriting(to));
  if (target.identity.file !== undefined) {
    throw new ToolError(`There is a ${target.shown} already.`, 'exists');
  }
  await refuseUnsaved(host, source);
  const content = await readWhole(guard, source);
  const text = await shownText(host, source, content);
  const shown = `${source.shown} → ${target.shown}`;
  const comesBackAsAnother = !source.isPlain;
  const request = writeRequest(host, source);
  await context.approve({
    ...request,
    protection: request.protection ?? target.protection,
    preview: { shown, uri: source.uri, before: text, after: text, comesBackAsAnother },
  });
  context.signal.throwIfAborted();
  await refuseUnsaved(host, source);
  await guarded(() => files.move(source, target, content));
  return { text: `Renamed ${source.shown} to ${target.shown}.` };
}

export async function createFolder(
  guard: GuardedFiles,
  { path }: { readonly path: string },
  context: ToolContext,
): Promise<ToolOutput> {
  const files = writerOf(context);
  const at = await guarded(() => guard.resolveForWriting(path));
  if (at.identity.file !== undefined) throw new ToolError(`There is a ${at.shown} already.`, 'exists');
  await context.approve({ kind: WRITE, protection: at.protection });
  context.signal.throwIfAborted();
  await guarded(() => files.makeFolder(at));
  return { text: `Created the folder ${at.shown}.` };
}

/** Changes the text of an existing file as its editor has it, else the disk. @returns what else that saved */
async function change(
  host: WorkspaceHost,
  context: ToolContext,
  at: GuardedFile,
  edited: (text: string) => string,
): Promise<string> {
  const unsaved = await guarded(() => host.unsaved(at.uri));
  const onDisk = await readWhole(host.guarded, at);
  const edit = unsaved
    ? await editUnsaved(host, at, unsaved, edited)
    : await editSaved(host, at, onDisk, edited);
  await write(host, context, { at, ...edit, isUnsaved: unsaved !== undefined });
  return unsaved ? ' What the user had not saved of it is saved with that.' : '';
}

/** Models see and write LF: a file with CRLF keeps its line ends. */
function withLineEndsOf(text: string, content: string): string {
  const isCrlf = text.includes('\r\n') && !content.includes('\r\n');
  return isCrlf ? content.replaceAll('\n', '\r\n') : content;
}

interface Edit {
  /** The content that the disk has, or would have if the text in the editor were saved; null: no file. */
  readonly before: Uint8Array | null;
  readonly beforeText: string | null;
  readonly after: string;
  /** The same text as a content. */
  readonly bytes: Uint8Array;
}

async function editSaved(
  host: WorkspaceHost,
  at: GuardedFile,
  before: Uint8Array,
  edited: (text: string) => string,
): Promise<Edit> {
  const file = await (await host.texts()).read(at.uri, before);
  if (file.isBinary && !(await file.isWhole())) {
    throw new ToolError(`${at.shown} is not a text file and cannot be edited.`, 'binary');
  }
  const after = edited(file.text);
  return { before, beforeText: file.text, after, bytes: await encoded(at, () => file.contentWith(after)) };
}

async function editUnsaved(
  host: WorkspaceHost,
  at: GuardedFile,
  { text, encoding }: UnsavedText,
  edited: (text: string) => string,
): Promise<Edit> {
  const texts = await host.texts();
  const contentOf = (each: string): Promise<Uint8Array> => encoded(at, () => texts.contentOf(each, encoding));
  const before = await contentOf(text);
  const after = await host.asSaved(at.uri, edited(text));
  if (after === undefined) {
    throw new ToolError(
      `${at.shown} is open in the editor and not saved, and the editor could not open what this would make of it. ` +
        'Read it again, and keep its format.',
      'invalid-format',
    );
  }
  if (after === text) {
    throw new ToolError(
      `The editor would save ${at.shown} as it is: nothing of this change is kept.`,
      'no-change',
    );
  }
  return { before, beforeText: text, after, bytes: await contentOf(after) };
}

interface Write extends Edit {
  readonly at: GuardedFile;
  /** The text before is in an editor, and not saved to disk. */
  readonly isUnsaved?: boolean;
}

async function write(
  host: WorkspaceHost,
  context: ToolContext,
  { at, before, beforeText, after, bytes, isUnsaved = false }: Write,
): Promise<void> {
  const files = writerOf(context);
  const { shown, uri } = at;
  await context.approve({
    ...writeRequest(host, at),
    preview: { shown, uri, before: beforeText, after, isUnsaved },
  });
  context.signal.throwIfAborted();
  const changed = new ToolError(
    `${shown} was changed in the editor after it was read. Read it again.`,
    'unsaved-changes',
  );
  const unsaved = await guarded(() => host.unsaved(uri));
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
  await guarded(() => files.write(at, before, bytes));
}

/** What a change of a file asks for: each time if it is protected, or read-only on the disk or in the editor. */
function writeRequest(
  host: WorkspaceHost,
  at: GuardedFile,
): Pick<ApprovalRequest, 'kind' | 'protection' | 'isReadOnly'> {
  return { kind: WRITE, protection: at.protection, isReadOnly: at.isReadOnly || host.isReadOnly(at) };
}

/** Makes bytes of a text. @throws ToolError where that would lose a character, or bytes that are no text */
async function encoded(
  { shown }: Pick<GuardedFile, 'shown'>,
  work: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TextEncodingError)) throw error;
    const hint =
      error.code === 'not-text'
        ? 'Change other lines, or ask the user to open it in its true encoding and save it in UTF-8.'
        : 'Use other characters, or ask the user to save it in another encoding, such as UTF-8.';
    throw new ToolError(`${shown} was not changed. ${error.message} ${hint}`, error.code, { cause: error });
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

async function refuseUnsaved(host: WorkspaceHost, { uri, shown }: GuardedFile): Promise<void> {
  if (!(await guarded(() => host.unsaved(uri)))) return;
  throw new ToolError(
    `The user has changes of ${shown} in the editor that are not saved. Ask them to save the file first.`,
    'unsaved-changes',
  );
}

/** The text shown to the user for a deleted or moved file; empty if it is not text. */
async function shownText(
  host: Pick<WorkspaceHost, 'texts'>,
  { uri }: Pick<GuardedFile, 'uri'>,
  bytes: Uint8Array,
): Promise<string> {
  const file = await (await host.texts()).read(uri, bytes);
  return file.isBinary ? '' : file.text;
}
