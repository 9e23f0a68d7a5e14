import * as vscode from 'vscode';
import { attachedContextOf, attachedContextParts } from '../../agent/attachments/attachedContext.ts';
import { attachedFileOf, attachedFileParts } from '../../agent/attachments/attachedFile.ts';
import type { OpenTexts } from '../../agent/tools/workspace/workspaceHost.ts';
import {
  imageTypeOf,
  hashOfFile,
  imagePart,
  PDF_TYPE,
  pdfFacts,
  pdfPart,
} from '../../models/messages/messageFiles.ts';
import { OffshootError } from '../../engine/errors.ts';
import type { BlobStore } from '../../engine/store.ts';
import type { FilePart, UIMessagePart } from '../../engine/uiMessage.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import {
  contextAttachment,
  imageAttachment,
  MAX_IMAGE_BYTES,
  pdfAttachment,
  type Attachment,
  type ImageAttachment,
  type PdfAttachment,
} from '../../protocol/attachments.ts';
import type { ActiveEditor } from './activeEditor.ts';
import type { keepPdf } from './keepPdf.ts';
import type { contextText } from './contextText.ts';
import type { proposeSymbols, ProposedSymbol, proposeFiles } from '../files/proposeFiles.ts';
import { sizeText } from '../ui/formats.ts';

/** What is needed only once something is attached. */
export interface AttachmentsWork {
  readonly contextText: typeof contextText;
  readonly proposeFiles: typeof proposeFiles;
  readonly proposeSymbols: typeof proposeSymbols;
  readonly keepPdf: typeof keepPdf;
  readonly openTexts: OpenTexts;
  readonly ActiveEditor: typeof ActiveEditor;
}

/** Pictures and PDFs, whose bytes are kept next to the database, and workspace files. */
export class Attachments {
  /** @param work loaded once an attachment is used */
  constructor(
    private readonly blobs: BlobStore,
    private readonly files: GuardedFiles,
    private readonly work: () => Promise<AttachmentsWork>,
  ) {}

  /** Stores a picture until a question refers to it. @throws OffshootError if it is none, or too large */
  async addImage(name: string, bytes: Uint8Array): Promise<ImageAttachment> {
    const mediaType = imageTypeOf(bytes);
    if (!mediaType) {
      const text = vscode.l10n.t('{0} is not a picture that models take: PNG, JPEG, GIF or WebP.', name);
      throw new OffshootError('no-image', text);
    }
    if (bytes.byteLength > MAX_IMAGE_BYTES) {
      const [size, most] = [sizeText(bytes.byteLength), sizeText(MAX_IMAGE_BYTES)];
      throw new OffshootError(
        'image-too-large',
        vscode.l10n.t('{0} is too large ({1}); models take up to {2}.', name, size, most),
      );
    }
    return { type: 'image', hash: await this.blobs.put(bytes), mediaType, name };
  }

  /** Stores a PDF until a question refers to it. @throws OffshootError if it is none, locked, or too large */
  async addPdf(name: string, bytes: Uint8Array): Promise<PdfAttachment> {
    return (await this.work()).keepPdf(this.blobs, name, bytes);
  }

  /** Files of the workspace whose paths contain these letters in order. */
  async paths(query: string): Promise<string[]> {
    return (await this.work()).proposeFiles(this.files.folders(), query);
  }

  /** Names defined in the workspace that begin with the query. */
  async symbols(query: string): Promise<ProposedSymbol[]> {
    return (await this.work()).proposeSymbols(this.files.folders(), query);
  }

  /**
   * @param files that the paths are of; by default those of the workspace
   * @throws OffshootError for one that cannot be read now
   */
  async parts(given: readonly Attachment[], files: GuardedFiles = this.files): Promise<UIMessagePart[]> {
    const parts: UIMessagePart[] = [];
    for (const each of given) {
      if (each.type === 'context') {
        const { of, name, text } = each;
        const read = await (await this.work()).contextText(this.files, each);
        const kept = { of, name, ...(text === undefined ? {} : { text }) };
        parts.push(...attachedContextParts(kept, read.about, read.text));
      } else if (each.type === 'file')
        parts.push(...(await attachedFileParts(files, each, (await this.work()).openTexts)));
      else if (await this.blobs.has(each.hash))
        parts.push(each.type === 'pdf' ? pdfPart(each) : imagePart(each));
      else {
        const text =
          each.type === 'pdf'
            ? vscode.l10n.t('The PDF {0} is no longer kept. Add it again.', each.name)
            : vscode.l10n.t('The image {0} is no longer kept. Add it again.', each.name);
        throw new OffshootError('image-gone', text);
      }
    }
    return parts;
  }

  /** The attachments of a stored question, to be attached again. */
  of(parts: readonly UIMessagePart[]): Attachment[] {
    return parts.flatMap((part): Attachment[] => {
      const file = attachedFileOf(part);
      if (file) {
        const { path, startLine, endLine } = file;
        return [{ type: 'file', path, ...(startLine === undefined ? {} : { startLine, endLine }) }];
      }
      const context = attachedContextOf(part);
      if (context) {
        const { leftOut: _leftOut, ...kept } = context;
        const { data } = contextAttachment.safeParse({ type: 'context', ...kept });
        return data ? [data] : [];
      }
      const kept = imageOf(part) ?? pdfOf(part);
      return kept ? [kept] : [];
    });
  }
}

/** Undefined for parts of other kinds. */
export function pdfOf(part: UIMessagePart): PdfAttachment | undefined {
  const hash = hashOfFile(part);
  const { mediaType, filename = '', providerMetadata } = part as Partial<FilePart>;
  if (hash === undefined || mediaType !== PDF_TYPE) return undefined;
  // It is shown, and may come from anyone.
  const name = filename.slice(0, 200) || 'PDF';
  return pdfAttachment.safeParse({ type: 'pdf', hash, name, ...pdfFacts(providerMetadata) }).data;
}

/** Undefined for parts of other kinds. */
export function imageOf(part: UIMessagePart): ImageAttachment | undefined {
  const hash = hashOfFile(part);
  if (hash === undefined || !('mediaType' in part)) return undefined;
  const { mediaType } = part;
  const name = 'filename' in part ? part.filename : vscode.l10n.t('image');
  return imageAttachment.safeParse({ type: 'image', hash, mediaType, name }).data;
}
