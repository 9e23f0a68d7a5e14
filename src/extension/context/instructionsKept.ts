import * as vscode from 'vscode';
import type { Instructions } from '../../agent/instructions/instructions.ts';
import type { UserArtifact } from '../../conversation/userWrites.ts';
import type { ArtifactVersion } from '../../engine/effects.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import { sha256 } from '../../engine/bytes.ts';
import { MAX_NAME_LENGTH } from '../../engine/limits.ts';

const MEDIA_TYPE = 'application/toml';

export type SaveInstructions = (chatId: string, artifact: UserArtifact) => Promise<void>;

/** Each document is a versioned artifact: no saved text is ever lost, and an earlier version can be restored. */
export class InstructionsKept implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: ReadonlyStore,
    private readonly userId: string,
    private readonly current: CurrentChat,
    private readonly saveArtifact: SaveInstructions,
  ) {}

  /** Oldest first; empty if there were none. */
  async versions(of: InstructionsOf): Promise<readonly ArtifactVersion[]> {
    return (await this.store.getSharedArtifacts(this.userId)).get(await artifactName(of)) ?? [];
  }

  /** The last saved document; undefined if there was none. */
  async source(of: InstructionsOf): Promise<string | undefined> {
    const version = (await this.versions(of)).at(-1);
    const bytes = version && (await this.store.blobs.get(version.hash));
    return bytes && new TextDecoder().decode(bytes);
  }

  /** Undefined when there are none, or the document can no longer be read. */
  async read(of: InstructionsOf): Promise<Instructions | undefined> {
    const source = await this.source(of);
    if (source === undefined) return undefined;
    // Most have none, and need no TOML parser.
    const { readInstructions } = await import('../../agent/instructions/instructions.ts');
    const read = readInstructions(source);
    return read.ok ? read.instructions : undefined;
  }

  async save(of: InstructionsOf, source: string): Promise<void> {
    const chatId = of === 'workspace' ? await this.current.chatId() : of.chatId;
    const bytes = new TextEncoder().encode(source);
    await this.keep(chatId, { name: await artifactName(of), bytes, mediaType: MEDIA_TYPE });
  }

  /** As the newest version. */
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

/** One chat, or all chats of this workspace. */
export type InstructionsOf = { readonly chatId: string } | 'workspace';

/** The name of artifacts with instructions; they are never rewound, and no tool may write them. */
export const INSTRUCTIONS = 'user:instructions';

/** Names are limited, and the ids of imported chats may be longer. */
export async function artifactName(of: InstructionsOf): Promise<string> {
  if (of === 'workspace') return INSTRUCTIONS;
  const name = `${INSTRUCTIONS}/${of.chatId}`;
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${INSTRUCTIONS}/${await sha256(new TextEncoder().encode(of.chatId))}`;
}
