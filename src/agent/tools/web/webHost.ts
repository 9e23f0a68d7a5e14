import type { WebReader } from '../../../platform/webReader.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import type { FetchPageInput } from './fetchPageInput.ts';

/** The tool's implementation. */
export interface WebWork {
  fetchPage(host: WebHost, input: FetchPageInput, context: ToolContext): Promise<ToolOutput>;
}

/** What the web page tool needs from the editor. */
export interface WebHost {
  /** Loads the implementation with the first call. */
  readonly load: () => Promise<WebWork>;
  readonly reader: () => Promise<WebReader>;
  readonly log: (line: string) => void;
  /** Hosts whose pages need no approval. */
  readonly allowedHosts: () => readonly string[];
}
