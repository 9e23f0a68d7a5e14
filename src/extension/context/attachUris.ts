import * as vscode from 'vscode';
import { RESOURCE_SCHEME } from '../../agent/tools/foreignResource.ts';
import { ownAddress } from '../../agent/tools/resourceAddress.ts';
import { OffshootError } from '../../engine/errors.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';
import { MAX_ATTACHMENTS, MAX_PDF_BYTES, MAX_TEXT, type Attachment } from '../../protocol/attachments.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import type { Attachments } from './attachedFiles.ts';
import { pdfTooLarge } from './keepPdf.ts';
import { isFile } from '../files/openFolders.ts';

const PICTURE = /\.(?:png|jpe?g|gif|webp)$/iu;
const PDF = /\.pdf$/iu;

/** Larger pictures are not even read: the page scales down those that are too large for a model. */
const MAX_READ_BYTES = 50_000_000;

/** @throws OffshootError for the first failure, once the others are attached */
export async function attachUris(
  { attachments, guarded }: { readonly attachments: Attachments; readonly guarded: GuardedFiles },
  chat: ShownChat,
  uris: readonly vscode.Uri[],
): Promise<void> {
  const added: Attachment[] = [];
  const pictures: vscode.Uri[] = [];
  const problems: Error[] = [];
  for (const uri of uris.slice(0, MAX_ATTACHMENTS)) {
    try {
      if (uri.scheme === RESOURCE_SCHEME) {
        if (PICTURE.test(uri.path)) pictures.push(uri);
        else added.push(await readResource(attachments, uri));
        continue;
      }
      const at = await resolved(guarded, uri);
      const real = vscode.Uri.parse(at.uri, true);
      const { type, size } = await vscode.workspace.fs.stat(real);
      if (isOf(type, vscode.FileType.Directory))
        added.push({ type: 'context', of: 'folder', name: at.shown });
      else if (!isOf(type, vscode.FileType.File)) problems.push(notAFile(at.shown));
      else if (PICTURE.test(at.shown)) pictures.push(real);
      else if (PDF.test(at.shown)) added.push(await readPdf(attachments, real, size));
      else added.push({ type: 'file', path: at.shown });
    } catch (error) {
      problems.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  await chat.focus({ attachments: added });
  for (const uri of pictures) await offerPicture(chat, uri);
  const [problem] = problems;
  if (problem) throw problem;
}

async function resolved(guarded: GuardedFiles, uri: vscode.Uri): Promise<GuardedFile> {
  if (!isFile(uri)) throw outsideWorkspace();
  try {
    const at = await guarded.resolve({ uri: uri.toString() });
    // An open folder has no name below itself.
    if (at.shown === '') throw outsideWorkspace();
    return at;
  } catch (error) {
    if (error instanceof WorkspaceFileError) throw outsideWorkspace();
    throw error;
  }
}

/** What an MCP server offers to read; it has to be kept, since the server may not give it again. */
async function readResource(attachments: Attachments, uri: vscode.Uri): Promise<Attachment> {
  const name = nameOf(uri).slice(-200);
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (PDF.test(name)) {
    if (bytes.byteLength > MAX_PDF_BYTES) throw pdfTooLarge(name, bytes.byteLength);
    return attachments.addPdf(name, bytes);
  }
  if (bytes.byteLength > MAX_READ_BYTES) {
    throw new OffshootError('resource-too-large', vscode.l10n.t('{0} is too large to be attached.', name));
  }
  return resourceText(ownAddress(uri.toString()), textIn(bytes));
}

/** @throws OffshootError for what is no text, or has none */
export function resourceText(name: string, text: string): Attachment {
  if (text.trim() === '' || text.includes('\0')) {
    throw new OffshootError('no-text', vscode.l10n.t('{0} has no text to attach.', name));
  }
  return { type: 'context', of: 'text', name, text: text.slice(0, MAX_TEXT).toWellFormed() };
}

/** Empty for bytes that are no text. */
function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return '';
  }
}

/** Stores a PDF of this machine for the next question. */
export async function readPdf(attachments: Attachments, uri: vscode.Uri, size: number): Promise<Attachment> {
  const name = nameOf(uri);
  if (size > MAX_PDF_BYTES) throw pdfTooLarge(name, size);
  return attachments.addPdf(name.slice(-200), await vscode.workspace.fs.readFile(uri));
}

/** Passes a picture to the page, or stores a PDF. */
export async function offerFile(attachments: Attachments, chat: ShownChat, uri: vscode.Uri): Promise<void> {
  if (!PDF.test(uri.path)) return offerPicture(chat, uri);
  const { size, type } = await vscode.workspace.fs.stat(uri);
  if (!isOf(type, vscode.FileType.File)) throw notAFile(nameOf(uri));
  await chat.focus({ attachments: [await readPdf(attachments, uri, size)] });
}

async function offerPicture(chat: ShownChat, uri: vscode.Uri): Promise<void> {
  const name = nameOf(uri);
  const { size, type } = await vscode.workspace.fs.stat(uri);
  // Reading a pipe or a device may never end.
  if (!isOf(type, vscode.FileType.File)) throw notAFile(name);
  if (size > MAX_READ_BYTES) {
    throw new OffshootError('image-too-large', vscode.l10n.t('{0} is too large for a picture.', name));
  }
  await chat.offerImage(name, await vscode.workspace.fs.readFile(uri));
}

function isOf(type: vscode.FileType, kind: vscode.FileType): boolean {
  return (type & kind) !== 0;
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function notAFile(name: string): OffshootError {
  return new OffshootError('not-a-file', vscode.l10n.t('{0} is not a file. Select a file.', name));
}

export function outsideWorkspace(): OffshootError {
  return new OffshootError(
    'outside-workspace',
    vscode.l10n.t('Only files of the folders that are open can be attached. Copy the text instead.'),
  );
}
