import { z } from 'zod';
import type { JsonValue } from './json.ts';
import { jsonObject } from './storable.ts';

/** Reads an {@link ArtifactVersion} from an external source. */
export const artifactVersion = z.object({
  name: z.string(),
  /** Counts from 0 along the path. */
  version: z.number().int().nonnegative(),
  mediaType: z.string(),
  /** SHA-256 of the bytes, in hex: their key in the blob store. */
  hash: z.string(),
  size: z.number().int().nonnegative(),
});

/** One version of an artifact: everything but its bytes. */
export type ArtifactVersion = z.infer<typeof artifactVersion>;

/** Reads the version of a file at one moment: the hash of its bytes, and its permissions. */
export const fileVersion = z.object({
  /** SHA-256 of the bytes, in hex: their key in the blob store. */
  hash: z.string(),
  size: z.number().int().nonnegative(),
  /** Permission bits, as in `0o755`; left out where files have no such bits. */
  mode: z.number().int().nonnegative().optional(),
  /** False: the file is too large to be kept; only its hash is known. */
  isKept: z.literal(false).optional(),
  /** Left out for a regular file. The bytes of a link are the path it leads to; a folder has none. */
  kind: z.enum(['link', 'folder']).optional(),
});

/** The content of a workspace file, without its bytes. */
export type FileVersion = z.infer<typeof fileVersion>;

/** Reads a change of a file by a tool: its versions before and after. */
export const fileChange = z.object({
  /** The URI of the workspace folder it lies in. */
  folder: z.string(),
  /** Relative to that folder, links resolved, with `/` between the parts. */
  path: z.string(),
  /** Null: the file did not exist. */
  before: fileVersion.nullable(),
  /** Null: the file was deleted. */
  after: fileVersion.nullable(),
  /** The folders that were made for it, as paths, outermost first. */
  madeFolders: z.array(z.string()).optional(),
  /** When, in milliseconds since 1970; of two changes of a file the later one counts. */
  at: z.number(),
});

/** A change of one file by a tool. */
export type FileChange = z.infer<typeof fileChange>;

/** What one message changed in addition to the conversation. Stored with it and immutable. */
export const messageEffects = z.object({
  state: z.object({ set: jsonObject.optional(), deleted: z.array(z.string()).optional() }).optional(),
  artifacts: z.array(artifactVersion).optional(),
  files: z.array(fileChange).optional(),
});

/** What one message changed in addition to the conversation. */
export interface MessageEffects {
  readonly state?: {
    readonly set?: Readonly<Record<string, JsonValue>>;
    readonly deleted?: readonly string[];
  };
  readonly artifacts?: readonly ArtifactVersion[];
  /** In the order they were made. */
  readonly files?: readonly FileChange[];
}

/** State and artifacts at a point of the conversation. */
export interface PathEffects {
  readonly state: ReadonlyMap<string, JsonValue>;
  /** All versions of each artifact, oldest first. */
  readonly artifacts: ReadonlyMap<string, readonly ArtifactVersion[]>;
}

type HasEffects = Readonly<{ effects: MessageEffects | undefined }>;

/** The only reducer from a path to the values at its end: rewinding restores them because it changes the path. */
export function foldEffects(path: Iterable<HasEffects>): PathEffects {
  const state = new Map<string, JsonValue>();
  const artifacts = new Map<string, ArtifactVersion[]>();
  for (const { effects } of path) {
    if (!effects) continue;
    for (const [key, value] of Object.entries(effects.state?.set ?? {})) state.set(key, value);
    for (const key of effects.state?.deleted ?? []) state.delete(key);
    for (const version of effects.artifacts ?? []) {
      const versions = artifacts.get(version.name);
      if (versions) versions.push(version);
      else artifacts.set(version.name, [version]);
    }
  }
  return { state, artifacts };
}
