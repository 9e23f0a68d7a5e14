import { sha256 } from '../engine/sha256.ts';

/**
 * Keys for records without ids: derived from a record's content and everything before it. A copy in another session,
 * or a second import, has the same keys; different content has others.
 */
export async function chainKey(parentKey: string, content: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(`${parentKey}\n${JSON.stringify(content)}`);
  return (await sha256(Uint8Array.from(bytes))).slice(0, 40);
}
