import { z } from 'zod';
import type { JsonObject } from '../engine/json.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import type { ImportReport } from './importReport.ts';

const programs = [
  'claude-code',
  'codex',
  'cline',
  'roo',
  'vscode',
  'pi',
  'chatgpt',
  'claude-ai',
  'offshoot',
] as const;

/** A program whose conversations are read. */
export type Program = (typeof programs)[number];

/** What each calls itself: names, which no language changes. */
export const programNames: Readonly<Record<Program, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  cline: 'Cline',
  roo: 'Roo Code',
  vscode: 'VS Code',
  pi: 'pi',
  chatgpt: 'ChatGPT',
  'claude-ai': 'Claude.ai',
  offshoot: 'Offshoot',
};

/** Where a chat came from: what the program calls it; several sessions that share their beginning are one chat. */
export interface ImportSource {
  readonly program: Program;
  readonly ids: readonly string[];
}

/** A conversation of another program as a chat; nothing of it is stored yet. */
export interface ForeignChat {
  readonly source: ImportSource;
  readonly chat: PortableChat;
  /** Bytes by their SHA-256 in hex. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  readonly report: ImportReport;
}

const MEMBER = 'importedFrom';

const importedFrom = z.object({
  program: z.enum(programs),
  ids: z.array(z.string()),
  /** When it was last brought up to date. */
  at: z.number().catch(0),
});

/** Where a chat was imported from, and when last; undefined for one that was begun here. */
export function sourceOf(metadata: JsonObject): (ImportSource & { readonly at: number }) | undefined {
  return importedFrom.safeParse(metadata[MEMBER]).data;
}

/** The member of a chat's metadata that says where it came from. */
export function sourceMetadata({ program, ids }: ImportSource, at: number): JsonObject {
  return { [MEMBER]: { program, ids: ids.map((id) => id.slice(0, 200).toWellFormed()), at } };
}

/** Whether two are of the same conversation. */
export function isSameSource(one: ImportSource, other: ImportSource): boolean {
  return (
    one.program === other.program && one.ids.some((id) => other.ids.includes(id.slice(0, 200).toWellFormed()))
  );
}
