import { focusReplacedInput, type SelectionFromEnd } from './focus.ts';
import { setLocale } from './state/texts.ts';

/** In the initial document (src/extension/pages/openingHtml.ts): the user can type before the page draws its own. */
export class OpeningInput {
  private readonly input: HTMLTextAreaElement | null;
  private composed: Promise<unknown> = Promise.resolve();
  private caret: SelectionFromEnd | undefined;

  constructor(private readonly root: HTMLElement) {
    this.input = root.querySelector('textarea');
    const { input } = this;
    if (!input) return;
    input.addEventListener('compositionstart', () => {
      this.composed = new Promise((resolve) => input.addEventListener('compositionend', resolve));
    });
    // The page's first texts are those of the document.
    const texts = { Message: input.ariaLabel ?? '', 'Ask anything': input.placeholder };
    setLocale(texts, document.documentElement.lang);
  }

  /** Removes it, once no letter is being composed in it. @returns the typed text */
  async take(): Promise<string> {
    await this.composed;
    const { input, root } = this;
    if (!input) return '';
    if (document.activeElement === input) {
      const { selectionStart, selectionEnd, value } = input;
      this.caret = { start: value.length - selectionStart, end: value.length - selectionEnd };
    }
    root.replaceChildren();
    return input.value;
  }

  /** Moves the focus to the input that replaced it, if it had the focus. */
  giveBack(): void {
    if (this.caret) focusReplacedInput(this.caret);
  }
}
