import { sha256 } from '../engine/sha256.ts';

/**
 * Keys for records that have no ids of their own: made of what a record says and of all before it. What was copied into
 * another session, or is read again, has the same keys; what was said instead has others.
 */
export async function chainKey(parentKey: string, content: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(`${parentKey}\n${JSON.stringify(content)}`);
  return (await sha256(Uint8Array.from(bytes))).slice(0, 40);
}
