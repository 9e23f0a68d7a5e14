import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';
import type { WebReader } from '../../../host/webReader.ts';
import { z } from 'zod';

/** Tools that read the public web, with the user's approval for each host. */
export const webTools = (host: WebHost) =>
  [
    defineTool({
      name: 'fetch_page',
      description: 'Reads a public web page as Markdown. offset: the character to read on from.',
      input: fetchPageInput,
      readsOnly: true,
      run: async (input, context) => (await host.load()).fetchPage(host, input, context),
    }),
  ] as const;

/** The tool's implementation. */
interface WebWork {
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

/** The input of `fetch_page`. */
const fetchPageInput = z.object({
  url: z.string().trim().min(1).max(4_000),
  offset: z.int().min(0).default(0),
});

export type FetchPageInput = z.output<typeof fetchPageInput>;
