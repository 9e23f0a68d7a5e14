import type { WebReader } from '../../../platform/webReader.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import type { FetchPageInput } from './fetchPageInput.ts';

/** What the tool does once it is called. */
export interface WebWork {
  fetchPage(host: WebHost, input: FetchPageInput, context: ToolContext): Promise<ToolOutput>;
}

/** What the editor does for the tool that reads web pages. */
export interface WebHost {
  /** What carries it out, loaded with the first call. */
  readonly load: () => Promise<WebWork>;
  readonly reader: () => Promise<WebReader>;
  readonly log: (line: string) => void;
  /** Hosts whose pages the user need not be asked about. */
  readonly allowedHosts: () => readonly string[];
}
