// What answers: a function from what a model is sent to an answer, with state and files. Put your own in its place.
import { z } from 'zod';

/**
 * @typedef {{ systemPrompt: string, messages: import('offshoot-engine').ResolvedMessage[], state: Record<string, unknown> }} Turn
 * @typedef {{ text: string, state?: Record<string, unknown>, files?: { name: string, mediaType: string, bytes: Uint8Array }[] }} Answer
 * @typedef {(turn: Turn) => Promise<Answer>} Agent
 */

/** @type {Agent} Needs no model: `set color=red; save plan=Paint it.` sets a value and saves a file. */
export async function offlineAgent({ messages }) {
  const said = messages.at(-1).content;
  const given = (verb) => [...said.matchAll(new RegExp(`\\b${verb} ([^\\s=;]+)=([^;\\n]*)`, 'g'))];
  const mediaType = 'text/plain; charset=utf-8';
  return {
    text: `Done, with ${messages.length} messages before me.`,
    state: Object.fromEntries(given('set').map(([, key, value]) => [key, value])),
    files: given('save').map(([, name, text]) => ({ name, mediaType, bytes: Buffer.from(text) })),
  };
}

const message = z.object({ content: z.string().min(1) });
const completion = z.object({ choices: z.array(z.object({ message })).min(1) });

/** @returns {Agent} one that asks a server which speaks OpenAI's protocol */
export function modelAgent({ baseUrl, model, apiKey = '' }) {
  return async ({ systemPrompt, messages }) => {
    const sent = [{ role: 'system', content: systemPrompt }, ...messages];
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ model, messages: sent.map(({ role, content }) => ({ role, content })) }),
      signal: globalThis.AbortSignal.timeout(300_000),
    });
    if (!response.ok) throw new Error(`The model server answered with ${response.status}.`);
    return { text: completion.parse(await response.json()).choices[0].message.content };
  };
}
