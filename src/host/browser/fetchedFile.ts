export class FetchedFile {
  private early: Promise<Uint8Array<ArrayBuffer>> | undefined;

  constructor(private readonly address: string) {}

  /** Starts fetching it with low priority, after everything a page needs to be shown. */
  begin(): void {
    this.early ??= this.fetch('low');
    // A later caller gets the error.
    this.early.catch(() => undefined);
  }

  /** Its bytes, owned by the caller: the prefetched ones go to the first caller, and later callers fetch again. */
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
