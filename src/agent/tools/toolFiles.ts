import { z } from 'zod';
import type { FilePart, UIMessagePart } from '../../engine/uiMessage.ts';
import type { AnyToolPart } from './toolParts.ts';

/** A file that a tool answers with: its bytes, and what the tool says it is. */
export interface ToolFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly name: string;
}

/** As the result of a call names one: by the SHA-256 of its bytes, which are kept beside the database. */
const keptFile = z.looseObject({
  type: z.literal('file'),
  mediaType: z.string().max(200),
  url: z.string().regex(/^offshoot-blob:[0-9a-f]{64}$/),
  filename: z.string().max(1_000).optional(),
});
const withFiles = z.looseObject({ files: z.array(keptFile.transform((part) => part as FilePart)) });

/** The files in the result of a call, as far as their bytes are kept; those of other programs' chats are none. */
export function toolFilesOf(part: AnyToolPart): readonly FilePart[] {
  if (part.state !== 'output-available') return [];
  return withFiles.safeParse(part.output).data?.files ?? [];
}

/** Files with their bytes in them, and texts in place of those that are gone, under a name nothing stored has. */
const FILLED = Symbol('files');

/** The same call with the bytes of its files. */
export function withToolFiles(part: AnyToolPart, files: readonly UIMessagePart[]): AnyToolPart {
  return Object.assign({ ...part }, { [FILLED]: files });
}

/** What {@link withToolFiles} put there. */
export function filledFilesOf(part: AnyToolPart): readonly UIMessagePart[] {
  // The symbol is this module's own.
  return (part as { readonly [FILLED]?: readonly UIMessagePart[] })[FILLED] ?? [];
}
