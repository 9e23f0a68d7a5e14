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

/** @param moment in milliseconds since 1970 */
export function momentText(moment: number): string {
  return new Date(validTime(moment)).toLocaleString(language());
}

/** @param moment in milliseconds since 1970 */
export function dayText(moment: number): string {
  return new Date(validTime(moment)).toLocaleDateString(language());
}

/** @param moment in milliseconds since 1970 */
export function timeText(moment: number): string {
  return new Date(validTime(moment)).toLocaleTimeString(language());
}

/** One text of several sentences. An East Asian full stop needs no space after it. */
export function sentences(...texts: readonly string[]): string {
  return texts.reduce((joined, next) => (/[。？！]$/u.test(joined) ? joined + next : `${joined} ${next}`));
}

/** US dollars, as `$5`, `$0.25` or `$0.00042`: small sums keep two significant digits. */
export function moneyText(dollars: number): string {
  const digits = dollars === 0 || dollars >= 0.01 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(dollars)));
  return `$${dollars.toFixed(digits).replace(/\.00$/, '')}`;
}

export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${numberText(size, { maximumFractionDigits: size < 10 && unit > 0 ? 1 : 0 })} ${units[unit] ?? ''}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function timeAgo(time: number, now = Date.now()): string {
  const age = Math.max(0, now - time);
  if (age < MINUTE) return vscode.l10n.t('now');
  if (age < HOUR) return vscode.l10n.t('{0} min', Math.floor(age / MINUTE));
  if (age < DAY) return vscode.l10n.t('{0} h', Math.floor(age / HOUR));
  if (age < 7 * DAY) return vscode.l10n.t('{0} d', Math.floor(age / DAY));
  return dayText(time);
}

export function messagesText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', count);
}

/** A number of chats, branches and checkpoints together in words. */
export function itemsText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 item') : vscode.l10n.t('{0} items', count);
}

export function tokensText(tokens: number): string {
  return tokens === 1 ? vscode.l10n.t('1 token') : vscode.l10n.t('{0} tokens', numberText(tokens));
}

/** In a short form: `950`, `12.3k`, `1.2M`. */
export function shortTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  const [scaled, unit] = tokens < 999_500 ? [tokens / 1_000, 'k'] : [tokens / 1_000_000, 'M'];
  return `${numberText(scaled, { maximumFractionDigits: scaled < 100 ? 1 : 0 })}${unit}`;
}

/** From 0 on; undefined while the size of the window is not known. */
export function shareOf({
  tokens,
  window,
}: {
  readonly tokens: number;
  readonly window: number | undefined;
}): number | undefined {
  return window === undefined || window <= 0 ? undefined : tokens / window;
}

export function percentText(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1%';
  return numberText(share, { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 });
}
