import { z } from 'zod';

/** The scheme of what MCP servers offer to read, in VS Code. */
export const RESOURCE_SCHEME = 'mcp-resource';

/** What an MCP server offers to read, by VS Code's address of it, and by the server's own. */
const keptResource = z.object({
  uri: z.string().max(10_000).startsWith(`${RESOURCE_SCHEME}://`),
  name: z.string().max(1_000),
});
export type KeptResource = z.infer<typeof keptResource>;

const withResources = z.looseObject({
  details: z.looseObject({ resources: z.array(keptResource).max(100) }),
});

/** Those of a stored result. */
export function resourcesOf(output: unknown): readonly KeptResource[] {
  return withResources.safeParse(output).data?.details.resources ?? [];
}
