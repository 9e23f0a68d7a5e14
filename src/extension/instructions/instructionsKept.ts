import * as vscode from 'vscode';
import type { Instructions } from '../../agent/instructions/instructions.ts';
import { ContextEngine } from '../../engine/contextEngine.ts';
import type { ArtifactVersion } from '../../engine/effects.ts';
import type { Disposable } from '../../engine/event.ts';
import type { ContextStore } from '../../engine/store.ts';
import { USER_ID, type CurrentChat } from '../currentChat.ts';
import { artifactName, type InstructionsOf } from './instructionsName.ts';

const MEDIA_TYPE = 'application/toml';

/**
 * The person's instructions, each document a versioned artifact of theirs: what was written once is never lost, and an
 * earlier version can be taken again.
 */
export class InstructionsKept implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: ContextStore,
    private readonly current: CurrentChat,
  ) {}

  /** Oldest first; empty when there never were any. */
  async versions(of: InstructionsOf): Promise<readonly ArtifactVersion[]> {
    return (await this.store.getSharedArtifacts(USER_ID)).get(await artifactName(of)) ?? [];
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
    await this.saveArtifact(chatId, await artifactName(of), new TextEncoder().encode(source), MEDIA_TYPE);
  }

  /** Takes a version of an artifact of the person's again, as the newest. */
  async takeAgain(version: ArtifactVersion, bytes: Uint8Array): Promise<void> {
    await this.saveArtifact(await this.current.chatId(), version.name, bytes, version.mediaType);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async saveArtifact(
    chatId: string,
    name: string,
    bytes: Uint8Array,
    mediaType: string,
  ): Promise<void> {
    const engine = new ContextEngine({ store: this.store, chatId, userId: USER_ID });
    try {
      await engine.artifacts.save(name, bytes, { mediaType });
      await engine.save();
    } finally {
      await engine.close();
    }
    this.changed.fire();
  }
}
