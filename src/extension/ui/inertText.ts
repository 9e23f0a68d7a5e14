/**
 * How VS Code interprets text from extensions, read in the sources of VS Code 1.139 and checked in the
 * workbench by `test/ui/hostileNames.test.ts`:
 *
 * | surface | how VS Code interprets it |
 * |---|---|
 * | notification, its progress (`notifications.ts` parses with `linkedText.ts`) | `[label](href "title")` with `http:`, `https:`, `file:` or `command:` is a link; a click on `command:` runs the command |
 * | prompt and validation message of an input box (`quickInputUtils.ts`) | the same links, commands included, and `$(icon)` |
 * | label, description and detail of a quick pick row (`iconLabels.ts`) | `$(icon)`; `\$(icon)` stays text |
 * | hover over a row's description or detail (`quickInputList.ts`) | Markdown: links, bare addresses, pictures, `$(icon)` |
 * | status bar text, status bar message, progress in the status bar (`iconLabels.ts`) | `$(icon)` |
 * | title of an editor tab | text; in the list of open editors, which is a quick pick, `$(icon)` |
 * | `MarkdownString` (`markdownRenderer.ts`) | Markdown of GitHub; `appendText` leaves bare addresses links, and `&amp;` an ampersand |
 * | label, description and text tooltip of a tree row, title and description of a view | text |
 * | `TreeView.message` | text; a `MarkdownString`, which only proposed API takes, would be Markdown and command links |
 * | title and placeholder of a quick input, buttons, modal dialogs, accessibility labels | text |
 *
 * Names come from imported chats, models, servers and files. So nothing outside `src/extension/ui/` hands
 * text to these surfaces (`eslint.config.mjs`), and here everything is made inert, our own words included: none of them
 * needs a link, and icons are given apart from the text.
 */

/**
 * Separates two characters that together would begin a link or an icon. It has no width, and a line does not break at
 * it; unlike a backslash, it works on each surface, no matter where VS Code cuts a text to highlight matches.
 */
const WORD_JOINER = '\u2060';

/** Each a single UTF-16 unit that starts a new line, or moves to a tab stop. */
const SPACING = /[\t-\r\u0085\u2028\u2029]/gu;

/**
 * Controls, what reorders the text around it, and invisible characters. The joiners of emoji and of Persian stay, and
 * the marks of direction, which have no more effect than a letter.
 */
const REORDERING = /[\p{Cc}\u200B\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/** One line that reads in the order it is written. It is as long as the text, so that positions in it stay valid. */
export function plainText(text: string): string {
  return text.replaceAll(SPACING, ' ').replaceAll(REORDERING, '\uFFFD');
}

/** For surfaces with links or icons: one line that looks like the text, and contains neither. */
export function inertText(text: string): string {
  return plainText(text).replaceAll(/[$\]](?=\()/gu, `$&${WORD_JOINER}`);
}

/** For surfaces that show a text as it is, and in a hover as Markdown: bare addresses do not become links, either. */
export function inertHoverText(text: string): string {
  return inertText(text).replaceAll(/:(?=\/\/)|www(?=\.)|[\w.+-](?=@)/giu, `$&${WORD_JOINER}`);
}

/** Markdown that shows the text unchanged, each of its lines as a paragraph. */
export function inertMarkdown(text: string): string {
  return text
    .split(/[\r\n]+/u)
    .map((line) =>
      plainText(line)
        .replaceAll(/[!-/:-@[-`{-~]/gu, '\\$&')
        .replaceAll(/^ +| {2,}| +$/gu, (spaces) => '&nbsp;'.repeat(spaces.length)),
    )
    .filter((line) => line !== '')
    .join('\n\n');
}
