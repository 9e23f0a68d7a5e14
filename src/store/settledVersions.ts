import type { ArtifactVersion } from '../engine/effects.ts';
import type { NewMessage } from '../engine/store.ts';
import type { Reader } from './database.ts';
import { readEffects, type StoredMessage } from './messages.ts';
import { optionalInteger } from './rows.ts';

/** How many messages are read at once: the version is usually near the head. */
const STRETCH = 500;

/**
 * The messages in a stretch of a path that changed artifacts, nearest to the head first, and the end of the stretch.
 */
const stretch = `WITH RECURSIVE up(key, parentKey, depth) AS (
    SELECT key, parentKey, depth FROM messages WHERE key = ?1
    UNION ALL
    SELECT m.key, m.parentKey, m.depth FROM up u JOIN messages m ON m.key = u.parentKey
      WHERE m.depth = u.depth - 1 AND m.depth > ?2
  )`;
const effectsOf = `${stretch} SELECT m.effects FROM up u CROSS JOIN messages m ON m.key = u.key
  WHERE m.effects LIKE '%"artifacts"%' ORDER BY u.depth DESC`;
const endOf = `${stretch} SELECT parentKey FROM up ORDER BY depth LIMIT 1`;

/**
 * Numbers the versions of artifacts along the path to `parent`. Earlier numbers may come from another path: an edit
 * is elsewhere, and another engine may have been faster.
 */
export function withSettledVersions(
  reader: Reader,
  parent: StoredMessage | undefined,
  messages: readonly NewMessage[],
): readonly NewMessage[] {
  const names = new Set(messages.flatMap(({ effects }) => effects?.artifacts ?? []).map(({ name }) => name));
  if (names.size === 0) return messages;
  const last = lastVersions(reader, parent, names);
  const settled = (artifact: ArtifactVersion): ArtifactVersion => {
    const version = (last.get(artifact.name) ?? -1) + 1;
    last.set(artifact.name, version);
    return { ...artifact, version };
  };
  return messages.map((message) => {
    const artifacts = message.effects?.artifacts;
    return artifacts
      ? { ...message, effects: { ...message.effects, artifacts: artifacts.map(settled) } }
      : message;
  });
}

/** The last version of each artifact on the path to a message, if there is one. */
function lastVersions(
  reader: Reader,
  end: StoredMessage | undefined,
  names: ReadonlySet<string>,
): Map<string, number> {
  const found = new Map<string, number>();
  const wanted = new Set(names);
  let key = end?.key;
  for (let depth = end?.message.depth ?? 0; key !== undefined && wanted.size > 0; depth -= STRETCH) {
    const bounds = [key, Math.max(0, depth - STRETCH)];
    for (const row of reader.all(effectsOf, bounds)) {
      for (const { name, version } of readEffects(row)?.artifacts?.toReversed() ?? []) {
        if (wanted.delete(name)) found.set(name, version);
      }
    }
    const top = reader.get(endOf, bounds);
    key = top && optionalInteger(top, 'parentKey');
  }
  return found;
}
