import type { Place, Program } from '../confined.ts';
import type { McpWorld } from './mcpWorld.ts';

/** What each program does with our server. */
export const acts = ['connect', 'list', 'read', 'write', 'progress'] as const;
export type Act = (typeof acts)[number];

/** What a program said of our conversations in the end: what its model got, or what it printed. */
export interface Told {
  readonly list: string;
  readonly read: string;
  readonly written: string;
}

/** A program that uses our MCP server. */
export interface McpProgram extends Program {
  readonly program: string;
  readonly name: string;
  readonly packages: readonly { readonly name: string; readonly version: string }[];
  readonly afterInstall?: string;
  /** What it does not do, with the reason that is its own. */
  readonly lacks?: Readonly<Partial<Record<Act, string>>>;
  /** Adds the server as docs/mcp.md tells. */
  readonly connect: (place: Place, world: McpWorld) => Promise<void>;
  /** Lists the branches of the chat, reads the active one, and has a note added. */
  readonly use: (place: Place) => Promise<Told>;
}

/** The text of the note that is asked for. */
export const NOTE = 'Seen in the Camargue.';
