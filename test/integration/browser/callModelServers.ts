import type { Call } from './modelServerCalls.ts';

/** Where the servers are: written into the bundle. */
declare const OFFSHOOT_MODEL_SERVERS: string;

/** Asks the servers in Node for something. @returns what `JSON.parse` makes of the answer */
export async function callModelServers(call: Call): Promise<unknown> {
  // As plain text: a browser asks for leave before it sends JSON.
  const response = await fetch(OFFSHOOT_MODEL_SERVERS, { method: 'POST', body: JSON.stringify(call) });
  if (!response.ok) throw new Error(`The model servers answered ${response.status} to ${call.call}.`);
  return response.json();
}
