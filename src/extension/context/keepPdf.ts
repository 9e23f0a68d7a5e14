import * as vscode from 'vscode';
import { isPdf } from '../../models/messages/messageFiles.ts';
import { OffshootError } from '../../engine/errors.ts';
import type { BlobStore } from '../../engine/store.ts';
import { MAX_PDF_BYTES, type PdfAttachment } from '../../protocol/attachments.ts';
import { sizeText } from '../ui/formats.ts';

/** @throws OffshootError if it is none, locked, or too large */
export async function keepPdf(
  blobs: Pick<BlobStore, 'put'>,
  name: string,
  bytes: Uint8Array,
): Promise<PdfAttachment> {
  const { byteLength: size } = bytes;
  if (size > MAX_PDF_BYTES) throw pdfTooLarge(name, size);
  const { pdfProblem, readPdf } = await import('../../agent/withSdk.ts');
  const facts = await readPdf(bytes);
  if (facts.isEncrypted && isPdf(bytes)) {
    const text = vscode.l10n.t('{0} is protected by a password. Save a copy without one.', name);
    throw new OffshootError('pdf-locked', text);
  }
  if (pdfProblem(bytes, facts) !== undefined) {
    throw new OffshootError('no-pdf', vscode.l10n.t('{0} cannot be read as a PDF. It may be damaged.', name));
  }
  const { pages } = facts;
  return { type: 'pdf', hash: await blobs.put(bytes), name, size, ...(pages === undefined ? {} : { pages }) };
}

export function pdfTooLarge(name: string, size: number): OffshootError {
  const [given, most] = [sizeText(size), sizeText(MAX_PDF_BYTES)];
  return new OffshootError(
    'pdf-too-large',
    vscode.l10n.t('{0} is too large ({1}); models take up to {2}.', name, given, most),
  );
}
