import { setLocale } from './state/texts.ts';

/**
 * The input that stands in the document from the first (src/extension/pages/openingHtml.ts), until the page draws its
 * own: nobody waits for the rest to begin to type.
 */
export class OpeningInput {
  private readonly input: HTMLTextAreaElement | null;
  private composed: Promise<unknown> = Promise.resolve();
  private caret: { readonly start: number; readonly end: number } | undefined;

  constructor(private readonly root: HTMLElement) {
    this.input = root.querySelector('textarea');
    const { input } = this;
    if (!input) return;
    input.addEventListener('compositionstart', () => {
      this.composed = new Promise((resolve) => input.addEventListener('compositionend', resolve));
    });
    // The first texts that the page draws are those that are there.
    const texts = { Message: input.ariaLabel ?? '', 'Ask anything': input.placeholder };
    setLocale(texts, document.documentElement.lang);
  }

  /** Takes it away, once no letter is being composed in it. @returns what was typed */
  async take(): Promise<string> {
    await this.composed;
    const { input, root } = this;
    if (!input) return '';
    if (document.activeElement === input)
      this.caret = { start: input.selectionStart, end: input.selectionEnd };
    root.replaceChildren();
    return input.value;
  }

  /** Brings the keyboard to the input that took its place, where it had it. */
  giveBack(): void {
    const { caret, root } = this;
    if (!caret) return;
    const input = root.querySelector('textarea');
    input?.focus({ preventScroll: true });
    input?.setSelectionRange(caret.start, caret.end);
  }
}
