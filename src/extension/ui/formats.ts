import * as vscode from 'vscode';
import { validTime } from '../../engine/time.ts';

/*
 * Numbers and times in the display language of VS Code, which may differ from that of the system. The runtime may not
 * know the name of a language pack: then the system's is used.
 */

function language(): string | undefined {
  const [known] = supported(vscode.env.language);
  return known;
}

function supported(tag: string): string[] {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag);
  } catch {
    return [];
  }
}

export function numberText(number: number, options?: Intl.NumberFormatOptions): string {
  return number.toLocaleString(language(), options);
}

/** A day and a time of day. @param moment in milliseconds since 1970 */
export function momentText(moment: number): string {
  return new Date(validTime(moment)).toLocaleString(language());
}

/** A day. @param moment in milliseconds since 1970 */
export function dayText(moment: number): string {
  return new Date(validTime(moment)).toLocaleDateString(language());
}

/** A time of day. @param moment in milliseconds since 1970 */
export function timeText(moment: number): string {
  return new Date(validTime(moment)).toLocaleTimeString(language());
}

/** One text of several sentences. An East Asian full stop needs no space after it. */
export function sentences(...texts: readonly string[]): string {
  return texts.reduce((joined, next) => (/[。？！]$/u.test(joined) ? joined + next : `${joined} ${next}`));
}
