export interface PageHead {
  readonly status: number;
  readonly contentType: string | undefined;
  /** The target of a redirect, as the server sent it. */
  readonly location: string | undefined;
}

export interface PageReply extends PageHead {
  /** The decompressed body; undefined where it was not wanted. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** It was truncated at the limit. */
  readonly isCut: boolean;
}

export interface ReadPage {
  readonly signal: AbortSignal;
  /** Whether to read the body. */
  readonly wants: (head: PageHead) => boolean;
}

/** Reads pages of the public web, and nothing of this machine or of a private network. */
export interface WebReader {
  /** Rejects names that are not public: nothing is resolved, and no approval is needed. @throws WebReadError */
  checkName(url: URL): void;
  /** A redirect is returned, not followed. @throws WebReadError; and when the signal fires */
  read(url: URL, options: ReadPage): Promise<PageReply>;
}

/** `refused`: the target may not be read. The others: what failed. */
export type WebReadProblem =
  'refused' | 'unknown-host' | 'unreachable' | 'certificate' | 'too-slow' | 'bad-headers' | 'broken-off';

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
