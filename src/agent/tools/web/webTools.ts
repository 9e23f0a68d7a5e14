import { z } from 'zod';
import { defineTool, type AgentTool } from '../tool.ts';
import type { WebHost } from './webHost.ts';

const fetchPageInput = z.object({
  url: z.string().trim().min(1).max(4_000),
  offset: z.int().min(0).default(0),
});

export type FetchPageInput = z.output<typeof fetchPageInput>;

/** Tools that read the public web, each host with the user's leave. */
export function webTools(host: WebHost): readonly AgentTool[] {
  return [
    defineTool({
      name: 'fetch_page',
      description: 'Reads a public web page as Markdown. offset: the character to read on from.',
      input: fetchPageInput,
      readsOnly: true,
      run: async (input, context) => (await host.load()).fetchPage(host, input, context),
    }),
  ];
}
