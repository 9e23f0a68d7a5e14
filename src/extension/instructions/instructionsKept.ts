import * as vscode from 'vscode';
import type { Instructions } from '../../agent/instructions/instructions.ts';
import type { UserArtifact } from '../../conversation/userArtifacts.ts';
import type { ArtifactVersion } from '../../engine/effects.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { CurrentChat } from '../chats/currentChat.ts';
import { artifactName, type InstructionsOf } from './instructionsName.ts';

const MEDIA_TYPE = 'application/toml';

/** Stores instructions as an artifact of the user. */
export type SaveInstructions = (chatId: string, artifact: UserArtifact) => Promise<void>;

/**
 * The user's instructions, each document a versioned artifact of theirs: what was written once is never lost, and an
 * earlier version can be taken again.
 */
export class InstructionsKept implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: ReadonlyStore,
    private readonly userId: string,
    private readonly current: CurrentChat,
    private readonly saveArtifact: SaveInstructions,
  ) {}

  /** Oldest first; empty when there never were any. */
  async versions(of: InstructionsOf): Promise<readonly ArtifactVersion[]> {
    return (await this.store.getSharedArtifacts(this.userId)).get(await artifactName(of)) ?? [];
  }

  /** The document as it was saved last; undefined when there never was one. */
  async source(of: InstructionsOf): Promise<string | undefined> {
    const version = (await this.versions(of)).at(-1);
    const bytes = version && (await this.store.blobs.get(version.hash));
    return bytes && new TextDecoder().decode(bytes);
  }

  /** What the document says; undefined when there is none, or it cannot be read any more. */
  async read(of: InstructionsOf): Promise<Instructions | undefined> {
    const source = await this.source(of);
    if (source === undefined) return undefined;
    // Most have none, and need no reader of TOML.
    const { readInstructions } = await import('../../agent/instructions/instructions.ts');
    const read = readInstructions(source);
    return read.ok ? read.instructions : undefined;
  }

  /** Keeps a new version. */
  async save(of: InstructionsOf, source: string): Promise<void> {
    const chatId = of === 'workspace' ? await this.current.chatId() : of.chatId;
    const bytes = new TextEncoder().encode(source);
    await this.keep(chatId, { name: await artifactName(of), bytes, mediaType: MEDIA_TYPE });
  }

  /** Takes a version of an artifact of the user's again, as the newest. */
  async takeAgain(version: ArtifactVersion, bytes: Uint8Array): Promise<void> {
    const { name, mediaType } = version;
    await this.keep(await this.current.chatId(), { name, bytes, mediaType });
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async keep(chatId: string, artifact: UserArtifact): Promise<void> {
    await this.saveArtifact(chatId, artifact);
    this.changed.fire();
  }
}
