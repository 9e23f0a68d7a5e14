import { z } from 'zod';
import type { JsonValue } from './json.ts';

export const artifactVersion = z.object({
  name: z.string(),
  /** Counts from 0 along the path. */
  version: z.number().int().nonnegative(),
  mediaType: z.string(),
  /** SHA-256 of the bytes, in hex: where the blob store has them. */
  hash: z.string(),
  size: z.number().int().nonnegative(),
});

/** One version of an artifact: everything but its bytes. */
export type ArtifactVersion = z.infer<typeof artifactVersion>;

/** What one message changed beside the conversation. Stored with it, and never changed afterwards. */
export const messageEffects = z.object({
  state: z
    .object({ set: z.record(z.string(), z.json()).optional(), deleted: z.array(z.string()).optional() })
    .optional(),
  artifacts: z.array(artifactVersion).optional(),
});

export interface MessageEffects {
  readonly state?: {
    readonly set?: Readonly<Record<string, JsonValue>>;
    readonly deleted?: readonly string[];
  };
  readonly artifacts?: readonly ArtifactVersion[];
}

/** State and artifacts at a point of the conversation. */
export interface PathEffects {
  readonly state: ReadonlyMap<string, JsonValue>;
  /** All versions of each artifact, oldest first. */
  readonly artifacts: ReadonlyMap<string, readonly ArtifactVersion[]>;
}

type HasEffects = Readonly<{ effects: MessageEffects | undefined }>;

/**
 * The one reducer from a path to what stands at its end: rewinding and switching restore state and artifacts because
 * they change the path, and for no other reason.
 */
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
