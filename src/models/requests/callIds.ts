import {
  isCall,
  isResult,
  writerOf,
  type AssistantMessage,
  type AssistantPart,
  type TalkMessage,
} from './prompt.ts';
import type { Target } from '../providerFacts.ts';

/** The call ids most providers accept. */
const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/u;

/** Ids that this program or the AI SDK assigned to calls without an id, or with a duplicate. */
const MADE_HERE = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[a-zA-Z0-9]{16})$/u;

/** Whether the target gave a call this id, and takes it back. */
export function isItsOwn(id: string, { provider: { callIds = ACCEPTED } }: Target): boolean {
  return callIds.test(id) && !MADE_HERE.test(id);
}

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
        const isBack = writerOf(message) === target.id;
        const isLost = isBack && namesLost(message, taken, target);
        const isOwn = isBack && !isLost;
        current = [];
        const content = message.content.map((part) => {
          if (!isCall(part)) return part;
          const toolCallId = fitId(part.toolCallId, { isOwn, target, taken, seen });
          current.push(toolCallId);
          return { ...part, toolCallId };
        });
        return { ...message, content: isLost ? withoutMetadata(content, target) : content };
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
  const isKept = isOwn && !taken.has(id) && isItsOwn(id, target);
  let fitted = id;
  for (let attempt = 0; !isKept && (attempt === 0 || taken.has(fitted)); attempt += 1) {
    fitted = madeFrom(JSON.stringify([id, before, attempt]));
  }
  taken.add(fitted);
  return fitted;
}

/**
 * Whether metadata names a call by an id which it can't keep, as reasoning details do. Its provider would refuse that, so
 * the whole message is then sent as if another model had written it.
 */
function namesLost({ content }: AssistantMessage, taken: ReadonlySet<string>, target: Target): boolean {
  const lost = content.flatMap((part) => {
    if (!isCall(part) || part.toolCallId === '') return [];
    return taken.has(part.toolCallId) || !isItsOwn(part.toolCallId, target) ? [part.toolCallId] : [];
  });
  return lost.length > 0 && content.some(({ providerOptions }) => names(providerOptions, lost));
}

function names(value: unknown, ids: readonly string[]): boolean {
  if (typeof value === 'string') return ids.includes(value);
  return typeof value === 'object' && value !== null && Object.values(value).some((each) => names(each, ids));
}

/** Reasoning that is known by its metadata goes with it. */
function withoutMetadata(content: readonly AssistantPart[], { provider }: Target): AssistantPart[] {
  return content
    .filter(({ type }) => type !== 'reasoning' || typeof provider.reasoning !== 'function')
    .map(({ providerOptions: _all, ...part }): AssistantPart => part);
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
