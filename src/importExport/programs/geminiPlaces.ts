import type { GeminiHistory, GeminiStep } from './geminiHistory.ts';
import {
  geminiWords,
  isGeminiAcknowledgement,
  isGeminiSummary,
  type GeminiMessage,
} from './geminiRecords.ts';

/** A place in the chat: after what a message of the session became there. */
export interface Place {
  readonly messageId: string | null;
  /** How many messages of the session are before it. */
  readonly depth: number;
  readonly before: Place | undefined;
  /** By what the message after it says: a saved conversation comes back with other ids. */
  readonly next: Map<string, Place>;
}

export function placeAfter(before: Place | undefined, messageId: string | null): Place {
  return { messageId, depth: (before?.depth ?? -1) + 1, before, next: new Map() };
}

/** What it says, whatever its id. */
function signOf({ type, content }: GeminiMessage): string {
  const { own, files } = geminiWords(content);
  return `${type} ${own.length} ${files.length} ${own.slice(0, 1_000)}`;
}

interface At {
  readonly place: Place;
  /** Of a conversation that was compressed: its last messages, which come back with other ids. */
  readonly kept: ReadonlyMap<string, Place>;
}

/** How many notes of the program may stand between a summary and what was kept. */
const MAX_NOTES = 3;

/** How many messages before a summary may come back after it. */
const MAX_KEPT = 200;

/**
 * Adds a message.
 * @param keptFrom the first message that a summary does not stand for; null: it stands for all before it
 * @returns where it is then; the place before it if it says nothing
 */
type Add = (message: GeminiMessage, before: Place, keptFrom: string | null) => Place;

/** Brings the ways of one session into the tree of a chat: each message once, and a summary after what it stands for. */
export class GeminiPlaces {
  private readonly placeOf = new Map<string, Place>();
  /** What the message says of which a place is the end. */
  private readonly signOf = new Map<Place, string>();
  private readonly after = new Map<GeminiStep, At>();
  private end: Place;

  constructor(
    private readonly history: GeminiHistory,
    private readonly start: Place,
    private readonly add: Add,
  ) {
    this.end = start;
  }

  /** @returns the end of the way that counts */
  all(): Place {
    for (const step of this.history.earlier) this.go(step);
    return this.go(this.history.last);
  }

  private go(last: GeminiStep | undefined): Place {
    const steps: GeminiStep[] = [];
    let step = last;
    for (; step && !this.after.has(step); step = step.before) steps.push(step);
    let at: At = (step && this.after.get(step)) ?? { place: this.start, kept: new Map() };
    const messages = steps.reverse().map((each) => this.history.messages.get(each.message));
    for (const [index, each] of steps.entries()) {
      const message = messages[index];
      if (message) at = this.next(message, at, messages.slice(index + 1, index + 1 + MAX_NOTES));
      this.after.set(each, at);
    }
    if (at.place !== this.start) this.end = at.place;
    return at.place;
  }

  private next(message: GeminiMessage, at: At, following: readonly (GeminiMessage | undefined)[]): At {
    const { place, kept } = at;
    const known = this.placeOf.get(message.id);
    if (known) {
      // What is before a summary may be named again after it.
      const isOn = known.before === place || place === this.start || known.depth > place.depth;
      return isOn ? { place: known, kept } : at;
    }
    const { own } = geminiWords(message.content);
    if (message.type === 'user' && isGeminiSummary(own) && place === this.start && this.end !== this.start) {
      const kept = this.lastPlaces();
      const first = following.map((each) => each && kept.get(signOf(each))).find((each) => each);
      return { place: this.added(message, this.end, first?.messageId ?? null), kept };
    }
    const isAnswer = message.type === 'gemini';
    if (isAnswer && isGeminiAcknowledgement(own)) return at;
    const sign = signOf(message);
    const same = this.history.replayed.has(message.id) ? (kept.get(sign) ?? place.next.get(sign)) : undefined;
    if (!same) {
      const added = this.added(message, place);
      if (added !== place) {
        place.next.set(sign, added);
        this.signOf.set(added, sign);
      }
      return { place: added, kept };
    }
    this.placeOf.set(message.id, same);
    return kept.has(sign) ? at : { place: same, kept };
  }

  private added(message: GeminiMessage, before: Place, keptFrom: string | null = null): Place {
    const place = this.add(message, before, keptFrom);
    this.placeOf.set(message.id, place);
    return place;
  }

  private lastPlaces(): Map<string, Place> {
    const places = new Map<string, Place>();
    let place: Place | undefined = this.end;
    for (let count = 0; place && count < MAX_KEPT; count++) {
      const sign = this.signOf.get(place);
      if (sign !== undefined && !places.has(sign)) places.set(sign, place);
      place = place.before;
    }
    return places;
  }
}
