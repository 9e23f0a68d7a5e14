import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';
import type { WebReader } from '../../../host/webReader.ts';
import { z } from 'zod';

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

interface WebWork {
  fetchPage(host: WebHost, input: FetchPageInput, context: ToolContext): Promise<ToolOutput>;
}

export interface WebHost {
  /** Loads the implementation with the first call. */
  readonly load: () => Promise<WebWork>;
  readonly reader: () => Promise<WebReader>;
  readonly log: (line: string) => void;
  readonly allowedHosts: () => readonly string[];
}

const fetchPageInput = z.object({
  url: z.string().trim().min(1).max(4_000),
  offset: z.int().min(0).default(0),
});

export type FetchPageInput = z.output<typeof fetchPageInput>;
