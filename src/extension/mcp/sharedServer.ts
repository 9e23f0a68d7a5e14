import type { Disposable } from '../../kit/disposable.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { SharedServer } from './mcpWork.ts';

/** What a program needs to read a shared store. */
export interface SharedPlaceForPrograms {
  readonly serverArguments: readonly string[];
  password(): Promise<string>;
}

type LocalStore = Pick<ReadonlyStore, 'listChats'> & { close(): Promise<void> };

/**
 * The MCP server over a shared store. It reads there directly; its questions to the user are asked in a window, which
 * is found by the folder of the workspace's own conversations. This opens that folder for it.
 */
export class SharedMcpServer implements SharedServer, Disposable {
  private local: LocalStore | undefined;

  constructor(
    private readonly place: SharedPlaceForPrograms,
    private readonly openLocal: () => LocalStore,
    private readonly onError: (error: unknown) => void,
  ) {}

  get args(): readonly string[] {
    return this.place.serverArguments;
  }

  password(): Promise<string> {
    return this.place.password();
  }

  async hearQuestions(): Promise<void> {
    this.local ??= this.openLocal();
    await this.local.listChats({ limit: 1, details: false });
  }

  dispose(): void {
    this.local?.close().catch(this.onError);
  }
}
