import { signal } from '@preact/signals';
import type { UsageView } from '../../protocol/views.ts';

const texts = signal<Readonly<Record<string, string>>>({});
const language = signal<string | undefined>(undefined);

export function setLocale(localised: Readonly<Record<string, string>>, locale: string): void {
  texts.value = localised;
  language.value = isLocale(locale) ? locale : undefined;
}

/** A text in the user's language, by its English text. `{0}` and so on stand for the values. */
export function t(english: string, ...values: (string | number)[]): string {
  const text = texts.value[english] ?? english;
  return text.replaceAll(/\{(\d+)\}/g, (placeholder, index: string) =>
    String(values[Number(index)] ?? placeholder),
  );
}

/** A time, in milliseconds since 1970, in the user's format. */
export function timeText(moment: number): string {
  return new Date(moment).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' });
}

export function numberText(number: number): string {
  return number.toLocaleString(language.value);
}

/** A number in short form: `950`, `12.3K`. */
export function shortNumber(number: number): string {
  return number.toLocaleString(language.value, { notation: 'compact', maximumFractionDigits: 1 });
}

/** Input and output separately: each request reads the conversation again, so a sum would not reflect its length. */
export function tokensText({ inputTokens, outputTokens }: UsageView): string {
  return t('{0} in, {1} out', numberText(inputTokens), numberText(outputTokens));
}

/** The usage of an answer in short: its price if known, otherwise its tokens. */
export function usageText(usage: UsageView): string {
  return usage.cost === undefined ? tokensText(usage) : costText(usage.cost);
}

export function costText(cost: number): string {
  // A cost below a hundredth of a cent is negligible.
  return cost > 0 && cost < 0.0001 ? '<$0.0001' : `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}

/** A share as a percentage, 1 being 100%. */
export function percentText(share: number): string {
  return share.toLocaleString(language.value, { style: 'percent' });
}

export function usageTitle(usage: UsageView): string {
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens, cost } = usage;
  return [
    t('{0} input tokens, {1} output tokens', numberText(inputTokens), numberText(outputTokens)),
    ...(cachedTokens === undefined ? [] : [t('{0} in from cache', numberText(cachedTokens))]),
    ...(reasoningTokens === undefined ? [] : [t('{0} out for reasoning', numberText(reasoningTokens))]),
    ...(cost === undefined ? [] : [t('{0} estimated', `$${cost.toFixed(6)}`)]),
  ].join(', ');
}

export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return t('{0} ms', numberText(Math.round(milliseconds)));
  if (milliseconds < 60_000)
    return t('{0} s', (milliseconds / 1_000).toLocaleString(language.value, { maximumFractionDigits: 1 }));
  const seconds = Math.round(milliseconds / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t('{0} min {1} s', minutes, seconds % 60);
  return t('{0} h {1} min', numberText(Math.floor(minutes / 60)), minutes % 60);
}

export function clockText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    // Not a language tag; the browser's own language is used.
    return false;
  }
}
