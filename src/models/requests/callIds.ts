import { isCall, isResult, writerOf, type TalkMessage } from './prompt.ts';
import type { Target } from '../providerFacts.ts';

/** The call ids most providers accept. */
const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/u;

/** Ids that this program or the AI SDK assigned to calls without an id, or with a duplicate. */
const MADE_HERE = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[a-zA-Z0-9]{16})$/u;

export const isMadeHere = (id: string): boolean => MADE_HERE.test(id);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Nine letters and digits: the strictest provider requires exactly this, and all others accept it. */
const LENGTH = 9;

/**
 * Gives calls and their results ids the target accepts, each only once in a request. The target's own ids are kept;
 * every other id is derived from the original and its number of occurrences, so that it is the same in every request.
 * Expects each call to have its result, in order, in the next message.
 */
export function fitIds(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  const taken = new Set<string>();
  const seen = new Map<string, number>();
  let current: string[] = [];
  return messages.map((message): TalkMessage => {
    switch (message.role) {
      case 'user':
        return message;
      case 'assistant': {
        const isOwn = writerOf(message) === target.id;
        current = [];
        const content = message.content.map((part) => {
          if (!isCall(part)) return part;
          const toolCallId = fitId(part.toolCallId, { isOwn, target, taken, seen });
          current.push(toolCallId);
          return { ...part, toolCallId };
        });
        return { ...message, content };
      }
      case 'tool': {
        const ids = [...current];
        return {
          ...message,
          content: message.content.map((part) =>
            isResult(part) ? { ...part, toolCallId: ids.shift() ?? part.toolCallId } : part,
          ),
        };
      }
    }
  });
}

interface Known {
  readonly isOwn: boolean;
  readonly target: Target;
  readonly taken: Set<string>;
  readonly seen: Map<string, number>;
}

function fitId(id: string, { isOwn, target, taken, seen }: Known): string {
  const before = seen.get(id) ?? 0;
  seen.set(id, before + 1);
  const { callIds = ACCEPTED } = target.provider;
  const isKept = isOwn && !taken.has(id) && callIds.test(id) && !isMadeHere(id);
  let fitted = id;
  for (let attempt = 0; !isKept && (attempt === 0 || taken.has(fitted)); attempt += 1) {
    fitted = madeFrom(JSON.stringify([id, before, attempt]));
  }
  taken.add(fitted);
  return fitted;
}

/** A deterministic id for a text: 64-bit FNV-1a, written in the alphabet. */
function madeFrom(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  let made = '';
  for (let count = 0; count < LENGTH; count += 1) {
    made += ALPHABET.charAt(Number(hash % BigInt(ALPHABET.length)));
    hash /= BigInt(ALPHABET.length);
  }
  return made;
}
