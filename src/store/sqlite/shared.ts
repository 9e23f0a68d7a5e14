import { z } from 'zod';
import { artifactVersion, type ArtifactVersion } from '../../engine/effects.ts';
import { DamagedDataError } from '../../engine/errors.ts';
import type { JsonValue } from '../../engine/json.ts';
import type { SharedChanges, SharedOwner, StateChanges } from '../../engine/store.ts';
import type { Reader, Transaction } from './database.ts';
import { json, text } from './rows.ts';

// State and artifacts that belong to a user or to everybody: they are outside the conversations and are not rewound.

const put = `INSERT INTO sharedState (scope, owner, name, value) VALUES (?, ?, ?, ?)
  ON CONFLICT (scope, owner, name) DO UPDATE SET value = excluded.value`;
const remove = 'DELETE FROM sharedState WHERE scope = ? AND owner = ? AND name = ?';
const putArtifact = 'INSERT INTO sharedArtifacts (owner, name, version, details) VALUES (?, ?, ?, ?)';

export function selectSharedState(reader: Reader, owner: SharedOwner): Map<string, JsonValue> {
  const rows = reader.all('SELECT name, value FROM sharedState WHERE scope = ? AND owner = ? ORDER BY name', [
    owner.scope,
    ownerId(owner),
  ]);
  return new Map(rows.map((row) => [text(row, 'name'), json(row, 'value')]));
}

export function selectSharedArtifacts(reader: Reader, userId: string): Map<string, ArtifactVersion[]> {
  const artifacts = new Map<string, ArtifactVersion[]>();
  const rows = reader.all(
    'SELECT name, details FROM sharedArtifacts WHERE owner = ? ORDER BY name, version',
    [userId],
  );
  for (const row of rows) {
    const name = text(row, 'name');
    const version = z.safeParse(artifactVersion, json(row, 'details'));
    if (!version.success)
      throw new DamagedDataError(`artifact "${name}" cannot be read`, { cause: version.error });
    artifacts.set(name, [...(artifacts.get(name) ?? []), version.data]);
  }
  return artifacts;
}

/** @returns the artifacts with their numbers: another engine may have saved a version since this one counted */
export function writeShared(transaction: Transaction, changes: SharedChanges): ArtifactVersion[] {
  writeState(transaction, { scope: 'user', userId: changes.userId }, changes.user);
  writeState(transaction, { scope: 'app' }, changes.app);
  return changes.artifacts.map((artifact) => {
    const known = selectSharedArtifacts(transaction, changes.userId).get(artifact.name);
    const settled = { ...artifact, version: (known?.at(-1)?.version ?? -1) + 1 };
    transaction.run(putArtifact, [changes.userId, artifact.name, settled.version, JSON.stringify(settled)]);
    return settled;
  });
}

function writeState(transaction: Transaction, owner: SharedOwner, changes: StateChanges): void {
  for (const [name, value] of changes) {
    if (value === undefined) transaction.run(remove, [owner.scope, ownerId(owner), name]);
    else transaction.run(put, [owner.scope, ownerId(owner), name, JSON.stringify(value)]);
  }
}

function ownerId(owner: SharedOwner): string {
  return owner.scope === 'user' ? owner.userId : '';
}
