import { TOKENS, type TokenStyles } from '../../protocol/answers.ts';
import type { Host } from '../answersConnection.ts';

/**
 * Colors code like the user's theme. VS Code names the theme on the page's body; the host knows its colors, and they
 * become CSS variables. Until it has answered, and where it does not know them, the styles use similar colors of the
 * theme.
 */
export class TokenColors {
  private themeId: string | undefined;

  constructor(
    private readonly host: Host,
    private readonly fail: (error: unknown) => void,
  ) {
    this.look();
    // The observer lives as long as the page.
    new MutationObserver(() => this.look()).observe(document.body, {
      attributes: true,
      attributeFilter: ['data-vscode-theme-id'],
    });
  }

  /** Requests the code colors of the theme, initially and after changes. */
  ask(): void {
    const { themeId } = this;
    if (themeId === undefined) return;
    this.host.sendRequest({ type: 'readTokenStyles', themeId }).then(({ styles }) => {
      // The theme may have changed again.
      if (themeId === this.themeId) this.paint(styles);
    }, this.fail);
  }

  private paint(styles: TokenStyles): void {
    const { style } = document.documentElement;
    const isKnown = Object.keys(styles).length > 0;
    for (const token of TOKENS) {
      const known = styles[token];
      set(style, `--token-${token}`, isKnown ? (known?.color ?? 'inherit') : undefined);
      set(style, `--token-${token}-style`, known?.isItalic === true ? 'italic' : undefined);
      set(style, `--token-${token}-weight`, known?.isBold === true ? 'bold' : undefined);
    }
  }

  private look(): void {
    const id = document.body.dataset['vscodeThemeId'];
    if (id === undefined || id === this.themeId) return;
    // The colors of one theme may be unreadable on the background of another.
    if (this.themeId !== undefined) this.paint({});
    this.themeId = id;
    this.ask();
  }
}

function set(style: CSSStyleDeclaration, name: string, value: string | undefined): void {
  if (value === undefined) style.removeProperty(name);
  else style.setProperty(name, value);
}
