import { z } from 'zod';
import type { JsonObject } from '../engine/json.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import type { ImportReport } from './importReport.ts';
import { programs, type Program } from './importPrograms.ts';

/** The origin of a chat: the program's ids; several sessions with a common beginning are one chat. */
export interface ImportSource {
  readonly program: Program;
  readonly ids: readonly string[];
}

/** A conversation of another program as a chat; not stored yet. */
export interface ForeignChat {
  readonly source: ImportSource;
  readonly chat: PortableChat;
  /** Bytes by their SHA-256 in hex. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  readonly report: ImportReport;
}

const MEMBER = 'importedFrom';

const importedFrom = z.object({
  program: z.custom<Program>((value) => typeof value === 'string' && Object.hasOwn(programs, value)),
  ids: z.array(z.string()),
  /** When it was last updated. */
  at: z.number().catch(0),
});
/** A chat's import source, and the last import; undefined for one that was started here. */
export function sourceOf(metadata: JsonObject): (ImportSource & { readonly at: number }) | undefined {
  return importedFrom.safeParse(metadata[MEMBER]).data;
}

export function sourceMetadata({ program, ids }: ImportSource, at: number): JsonObject {
  return { [MEMBER]: { program, ids: ids.map((id) => id.slice(0, 200).toWellFormed()), at } };
}

export function isSameSource(one: ImportSource, other: ImportSource): boolean {
  return (
    one.program === other.program && one.ids.some((id) => other.ids.includes(id.slice(0, 200).toWellFormed()))
  );
}
