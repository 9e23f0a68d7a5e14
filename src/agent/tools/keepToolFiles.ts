import type { BlobStore } from '../../engine/store.ts';
import type { FilePart } from '../../engine/uiMessage.ts';
import { imageProblem } from '../../models/messages/imageProblem.ts';
import { imageTypeOf, imagePart, PDF_TYPE, pdfPart } from '../../models/messages/messageFiles.ts';
import { pdfProblem, readPdf } from '../attachments/pdf.ts';
import { startOf } from './textLimits.ts';
import type { ToolOutput } from './tool.ts';
import type { ToolFile } from '../../models/messages/toolFiles.ts';

/** How many files of one call are kept, and their total size, in bytes. */
const MAX_FILES = 10;
const MAX_BYTES = 20_000_000;

const MAX_NAME = 200;

/** A call's result in stored form: its files by the names of their bytes, and why some were omitted. */
export interface StoredOutput {
  readonly text: string;
  readonly details?: ToolOutput['details'];
  readonly files?: readonly FilePart[];
}

/** Stores the files of a tool's result outside the database; replaces one that cannot be sent with the reason. */
export async function keepToolFiles(
  { text, details, files = [] }: ToolOutput,
  blobs: Pick<BlobStore, 'put'>,
): Promise<StoredOutput> {
  const kept: FilePart[] = [];
  const notes: string[] = [];
  let room = MAX_BYTES;
  for (const file of files) {
    const found =
      kept.length < MAX_FILES && file.bytes.byteLength <= room
        ? await keptPart(file, blobs)
        : 'the files of this result are too many or too large';
    if (typeof found === 'string') {
      notes.push(
        `[A file, “${nameOf(file)}” (${startOf(file.mediaType, MAX_NAME)}), was left out: ${found}.]`,
      );
    } else {
      kept.push(found);
      room -= file.bytes.byteLength;
    }
  }
  return {
    text: [...(text === '' && notes.length > 0 ? [] : [text]), ...notes].join('\n'),
    ...(details === undefined ? {} : { details }),
    ...(kept.length === 0 ? {} : { files: kept }),
  };
}

/** The part for a file, or why there is none. */
async function keptPart(file: ToolFile, blobs: Pick<BlobStore, 'put'>): Promise<FilePart | string> {
  const { bytes, mediaType } = file;
  const name = nameOf(file);
  if (mediaType.toLowerCase() === PDF_TYPE) {
    const facts = await readPdf(bytes);
    return (
      pdfProblem(bytes, facts) ??
      pdfPart({ hash: await blobs.put(bytes), name, size: bytes.byteLength, pages: facts.pages })
    );
  }
  const type = imageTypeOf(bytes);
  const problem = imageProblem(bytes, startOf(mediaType, MAX_NAME));
  if (problem !== undefined || type === undefined) return problem ?? 'it is no picture';
  return imagePart({ hash: await blobs.put(bytes), mediaType: type, name });
}

function nameOf({ name }: ToolFile): string {
  const short = startOf(name, MAX_NAME).trim();
  return short === '' ? 'file' : short;
}
