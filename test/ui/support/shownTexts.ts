import type { Locator } from 'playwright-core';

/**
 * All that something says to those who see it and to those who have it read out: its texts, and what its elements are
 * called; without the texts of the conversation.
 */
export async function shownTexts(root: Locator): Promise<string[]> {
  const texts = await root.evaluateAll((roots) => {
    const names = ['aria-label', 'aria-description', 'aria-roledescription', 'title', 'placeholder', 'alt'];
    return (
      roots
        .flatMap((within) => [within, ...within.querySelectorAll('*')])
        .filter((element) => !element.closest('.said, .markdown, .katex, code, pre, style, script'))
        // The rows of a list of VS Code's are used again: what one held before may be in there still, out of sight.
        .filter((element) => !element.closest('.monaco-list-row') || element.checkVisibility())
        .flatMap((element) => [
          ...names.map((name) => element.getAttribute(name)),
          ...Array.from(element.childNodes, (child) => (child.nodeType === 3 ? child.textContent : '')),
        ])
        .flatMap((text) => (text?.trim() ? [text.trim()] : []))
    );
  });
  return [...new Set(texts)];
}

/**
 * A check whether a text is one of the English ones, or a list of such, whatever is filled in. Those that have no word
 * of their own, or are the same in the other language, do not tell a language.
 */
export function englishOf(
  english: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
) {
  const patterns = Object.entries(english).flatMap(([key, text]) => {
    const isTelling = other[key] !== text && /[a-z]{2}/iu.test(text.replaceAll(/\{\d+\}/gu, ''));
    const source = text
      .split(/\{\d+\}/u)
      .map(escaped)
      .join('.+');
    return isTelling ? [new RegExp(`^${source}$`, 'u')] : [];
  });
  return (text: string): boolean =>
    [text, ...text.split(/, | · /u)].some((part) => patterns.some((pattern) => pattern.test(part)));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}
