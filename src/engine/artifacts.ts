import type { ArtifactVersion } from './effects.ts';
import { ArtifactNotFoundError, InvalidArgumentError, InvalidNameError } from './errors.ts';
import { Layers } from './layers.ts';
import { defineMessage } from './messageDescriptor.ts';
import { checkedName, isRevoked, storable } from './storable.ts';
import type { BlobStore } from './store.ts';

type Versions = ReadonlyMap<string, readonly ArtifactVersion[]>;

/** What the artifacts read: the versions at the point of the next save, and the user's versions. */
export interface SavedArtifacts {
  readonly path: Versions;
  readonly user: Versions;
}

/** Runs `use` on the saved artifacts while no other engine operation runs. */
export type WithArtifacts = <T>(use: (saved: SavedArtifacts) => T | Promise<T>) => Promise<T>;

/** The bytes of one version of an artifact. */
export interface LoadedArtifact {
  readonly data: Uint8Array;
  readonly mediaType: string;
  readonly version: number;
}

/** An artifact in force at this point of the conversation, without its bytes. */
export interface ArtifactInfo {
  readonly name: string;
  /** The version in force. */
  readonly version: number;
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Named, versioned bytes that go with the conversation: rewinding brings back the version that was in force there.
 * Names that begin with `user:` are the user's in all chats and are not rewound. New versions wait for `save()`.
 */
export class EngineArtifacts {
  private readonly changes = new Layers<ArtifactVersion[]>(
    () => [],
    (earlier, later) => [...earlier, ...later],
  );

  constructor(
    private readonly withSaved: WithArtifacts,
    private readonly blobs: BlobStore,
  ) {}

  /**
   * Keeps a new version; the first is 0.
   * @param bytes copied
   * @returns the number it will have unless another engine saves one first; `ContextEngine.save` returns the final one
   */
  async save(
    name: string,
    bytes: Uint8Array,
    { mediaType }: { mediaType: string },
  ): Promise<{ name: string; version: number }> {
    const checked = checkedName(name, 'artifact name');
    if (typeof (mediaType as unknown) !== 'string')
      throw new InvalidArgumentError('media type', defineMessage('it is not a text'));
    if (mediaType === '') throw new InvalidNameError('media type', defineMessage('it is empty'));
    storable(mediaType, 'media type');
    if (isRevoked(bytes) || !((bytes as unknown) instanceof Uint8Array)) {
      throw new InvalidArgumentError(defineMessage('artifact'), defineMessage('its bytes are no Uint8Array'));
    }
    const copy = Uint8Array.from(bytes);
    return this.withSaved(async (saved) => {
      // The bytes are stored before anything names them: a crash in between leaves only unreferenced bytes.
      const hash = await this.blobs.put(copy);
      const version = (this.versions(saved, checked).at(-1)?.version ?? -1) + 1;
      this.changes.open.push({ name: checked, version, mediaType, hash, size: copy.byteLength });
      return { name: checked, version };
    });
  }

  /** The requested version, or the one in force; undefined when there is none at this point of the conversation. */
  async load(name: string, version?: number): Promise<LoadedArtifact | undefined> {
    const found = await this.withSaved((saved) => {
      const versions = this.versions(saved, name.trim());
      return version === undefined ? versions.at(-1) : versions.findLast((each) => each.version === version);
    });
    if (!found) return undefined;
    const data = await this.blobs.get(found.hash);
    if (!data) throw new ArtifactNotFoundError(name);
    return { data, mediaType: found.mediaType, version: found.version };
  }

  /** The artifacts in force, by name. */
  list(): Promise<ArtifactInfo[]> {
    return this.withSaved((saved) => {
      const waiting = this.changes.all.map(({ name }) => name);
      const names = new Set([...saved.path.keys(), ...saved.user.keys(), ...waiting]);
      return [...names].sort().flatMap((name): ArtifactInfo[] => {
        const last = this.versions(saved, name).at(-1);
        return last ? [{ name, version: last.version, mediaType: last.mediaType, size: last.size }] : [];
      });
    });
  }

  /** The versions of one scope that are being saved. */
  leaving(scope: 'path' | 'user'): readonly ArtifactVersion[] {
    return ofScope(this.changes.onItsWay, scope);
  }

  /** The pending versions of one scope, including those being saved. */
  pending(scope: 'path' | 'user'): readonly ArtifactVersion[] {
    return ofScope(this.changes.all, scope);
  }

  /** Pending versions are now being saved, or dropped with the branch. */
  begin(): void {
    this.changes.begin();
  }

  /** The save failed: the versions are pending again. */
  rollBack(): void {
    this.changes.rollBack();
  }

  /** Forgets the versions that were being saved; returns how many there were. */
  commit(): number {
    return this.changes.commit().length;
  }

  private versions(saved: SavedArtifacts, name: string): ArtifactVersion[] {
    const before = (isUsers(name) ? saved.user : saved.path).get(name) ?? [];
    return this.changes.all
      .filter((each) => each.name === name)
      .reduce((all, each) => [...all, { ...each, version: (all.at(-1)?.version ?? -1) + 1 }], [...before]);
  }
}

function ofScope(versions: readonly ArtifactVersion[], scope: 'path' | 'user'): ArtifactVersion[] {
  return versions.filter(({ name }) => isUsers(name) === (scope === 'user'));
}

function isUsers(name: string): boolean {
  return name.startsWith('user:');
}
