import { defineTool, type AgentTool } from '../tool.ts';
import { fetchPageInput } from './fetchPageInput.ts';
import type { WebHost } from './webHost.ts';

/** Tools that read the public web, with the user's approval for each host. */
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
