import type { ArtifactVersion } from './effects.ts';
import { ArtifactNotFoundError, InvalidNameError } from './errors.ts';
import { checkedName } from './storable.ts';
import type { BlobStore } from './store.ts';
import { phrase } from './phrase.ts';

type Versions = ReadonlyMap<string, readonly ArtifactVersion[]>;

/** What the artifacts read: the versions at the head, and those of the user. */
export interface SavedArtifacts {
  readonly path: () => Promise<Versions>;
  readonly user: () => Promise<Versions>;
}

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
  private changes: ArtifactVersion[] = [];

  constructor(
    private readonly saved: SavedArtifacts,
    private readonly blobs: BlobStore,
  ) {}

  /** Keeps a new version; the first is 0. @param bytes copied */
  async save(
    name: string,
    bytes: Uint8Array,
    { mediaType }: { mediaType: string },
  ): Promise<{ name: string; version: number }> {
    const checked = checkedName(name, 'artifact name');
    if (mediaType === '') throw new InvalidNameError('media type', phrase('it is empty'));
    // The bytes are there before anything names them: a crash between the two leaves only bytes nobody knows of.
    const hash = await this.blobs.put(bytes);
    const version = (await this.versions(checked)).length;
    this.changes.push({ name: checked, version, mediaType, hash, size: bytes.byteLength });
    return { name: checked, version };
  }

  /** The version asked for, or the one in force; undefined when there is none at this point of the conversation. */
  async load(name: string, version?: number): Promise<LoadedArtifact | undefined> {
    const versions = await this.versions(name.trim());
    const found = version === undefined ? versions.at(-1) : versions.find((each) => each.version === version);
    if (!found) return undefined;
    const data = await this.blobs.get(found.hash);
    if (!data) throw new ArtifactNotFoundError(name);
    return { data, mediaType: found.mediaType, version: found.version };
  }

  /** The artifacts in force, by name. */
  async list(): Promise<ArtifactInfo[]> {
    const names = new Set([
      ...(await this.saved.path()).keys(),
      ...(await this.saved.user()).keys(),
      ...this.changes.map(({ name }) => name),
    ]);
    const infos: ArtifactInfo[] = [];
    for (const name of [...names].sort()) {
      const last = (await this.versions(name)).at(-1);
      if (last) infos.push({ name, version: last.version, mediaType: last.mediaType, size: last.size });
    }
    return infos;
  }

  /** The versions of one scope that wait for the next save. */
  pending(scope: 'path' | 'user'): readonly ArtifactVersion[] {
    return this.changes.filter(({ name }) => isUsers(name) === (scope === 'user'));
  }

  /** Forgets what waits, after it was saved or when the branch is left; returns how many there were. */
  clear(): number {
    const { length } = this.changes;
    this.changes = [];
    return length;
  }

  private async versions(name: string): Promise<ArtifactVersion[]> {
    const saved = await (isUsers(name) ? this.saved.user() : this.saved.path());
    return [...(saved.get(name) ?? []), ...this.changes.filter((each) => each.name === name)];
  }
}

function isUsers(name: string): boolean {
  return name.startsWith('user:');
}
