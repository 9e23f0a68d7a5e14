import { OffshootError } from '../engine/errors.ts';
import { verbatim, type Phrase } from '../engine/phrase.ts';

/** For the log: the kind of an error, not its text, which may quote the conversation. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** For the person: what an error says. */
export function errorPhrase(error: unknown): Phrase {
  if (error instanceof OffshootError) return error.phrase;
  return verbatim(error instanceof Error ? error.message : String(error));
}
