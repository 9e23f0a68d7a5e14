import { signal } from '@preact/signals';

const texts = signal<Readonly<Record<string, string>>>({});
const language = signal<string | undefined>(undefined);

/** Takes the texts in the person's language, and the language's tag. */
export function setLocale(localised: Readonly<Record<string, string>>, locale: string): void {
  texts.value = localised;
  language.value = isLocale(locale) ? locale : undefined;
}

/** A text in the person's language; its English is its name. `{0}` and so on stand for the values. */
export function t(english: string, ...values: (string | number)[]): string {
  const text = texts.value[english] ?? english;
  return text.replaceAll(/\{(\d+)\}/g, (placeholder, index: string) =>
    String(values[Number(index)] ?? placeholder),
  );
}

/** A moment, in milliseconds since 1970, as the person writes it. */
export function timeText(moment: number): string {
  return new Date(moment).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' });
}

export function numberText(number: number): string {
  return number.toLocaleString(language.value);
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    // Not a language tag; the browser's own language is used.
    return false;
  }
}
