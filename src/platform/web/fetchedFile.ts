/** A file that can be fetched before it is asked for. */
export class FetchedFile {
  private early: Promise<Uint8Array<ArrayBuffer>> | undefined;

  constructor(private readonly address: string) {}

  /** Begins to fetch it, behind what a page needs to be shown. */
  begin(): void {
    this.early ??= this.fetch('low');
    // Whoever asks for it learns why it did not come.
    this.early.catch(() => undefined);
  }

  /** Its bytes, which are the caller's own: what was begun is for the first who asks, and others have it fetched anew. */
  readonly bytes = async (): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = this.early ?? this.fetch('auto');
    this.early = undefined;
    return bytes;
  };

  private async fetch(priority: RequestPriority): Promise<Uint8Array<ArrayBuffer>> {
    const response = await fetch(this.address, { priority });
    if (!response.ok) throw new Error(`${this.address} could not be fetched (${response.status}).`);
    return new Uint8Array(await response.arrayBuffer());
  }
}
