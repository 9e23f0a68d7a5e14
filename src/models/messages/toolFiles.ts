import { z } from 'zod';
import type { FilePart, UIMessagePart } from '../../engine/uiMessage.ts';
import type { AnyToolPart } from './toolParts.ts';

export interface ToolFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly name: string;
}

/** A file in a call's result, by the SHA-256 of its bytes, which are kept outside the database. */
const keptFile = z.looseObject({
  type: z.literal('file'),
  mediaType: z.string().max(200),
  url: z.string().regex(/^offshoot-blob:[0-9a-f]{64}$/),
  filename: z.string().max(1_000).optional(),
});
const withFiles = z.looseObject({ files: z.array(keptFile.transform((part) => part as FilePart)) });

/** The files in a call's result whose bytes are kept; files from imported chats do not count. */
export function toolFilesOf(part: AnyToolPart): readonly FilePart[] {
  if (part.state !== 'output-available') return [];
  return withFiles.safeParse(part.output).data?.files ?? [];
}

/** Holds files with their bytes, and texts for missing ones, under a key that stored data cannot have. */
const FILLED = Symbol('files');

export function withToolFiles(part: AnyToolPart, files: readonly UIMessagePart[]): AnyToolPart {
  return Object.assign({ ...part }, { [FILLED]: files });
}

/** The files that {@link withToolFiles} added. */
export function filledFilesOf(part: AnyToolPart): readonly UIMessagePart[] {
  // The symbol is private to this module.
  return (part as { readonly [FILLED]?: readonly UIMessagePart[] })[FILLED] ?? [];
}
