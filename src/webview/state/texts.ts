import { signal } from '@preact/signals';

const texts = signal<Readonly<Record<string, string>>>({});

/** Takes the texts in the person's language. */
export function setTexts(localised: Readonly<Record<string, string>>): void {
  texts.value = localised;
}

/** A text in the person's language; its English is its name. `{0}` and so on stand for the values. */
export function t(english: string, ...values: (string | number)[]): string {
  const text = texts.value[english] ?? english;
  return text.replaceAll(/\{(\d+)\}/g, (placeholder, index: string) =>
    String(values[Number(index)] ?? placeholder),
  );
}
