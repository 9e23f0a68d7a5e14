/** What a server says before the body of a page. */
export interface PageHead {
  readonly status: number;
  readonly contentType: string | undefined;
  /** Where it sends whoever asks, as it says it. */
  readonly location: string | undefined;
}

export interface PageReply extends PageHead {
  /** What it decompresses to; undefined where it was not wanted. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** It was longer than is read, and ends before its end. */
  readonly isCut: boolean;
}

export interface ReadPage {
  readonly signal: AbortSignal;
  /** Whether the body is to be read. */
  readonly wants: (head: PageHead) => boolean;
}

/** Gets pages of the public web, and nothing of this machine or of a private network. */
export interface WebReader {
  /** Refuses what is not public by its name alone: nothing is looked up, and nobody need be asked. @throws WebReadError */
  checkName(url: URL): void;
  /**
   * Asks for what is at a URL. A redirect is handed back, not followed.
   * @throws WebReadError; and when the signal fires
   */
  read(url: URL, options: ReadPage): Promise<PageReply>;
}

/** `refused`: where it leads may not be read. The others: what went wrong on the way. */
export type WebReadProblem =
  'refused' | 'unknown-host' | 'unreachable' | 'certificate' | 'too-slow' | 'bad-headers' | 'broken-off';

/** A page could not be read. */
export class WebReadError extends Error {
  constructor(
    readonly code: WebReadProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'WebReadError';
  }
}
