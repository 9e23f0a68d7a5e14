import { TOKENS, type TokenStyles } from '../../protocol/tokens.ts';
import type { Host } from '../answersConnection.ts';

/**
 * Colours code as the user's theme does. VS Code names the theme on the page's body; the host knows its colours, and
 * they become variables that the styles use. Until it has answered, and where it does not know them, the styles have
 * colours of the theme that come close.
 */
export class TokenColours {
  private themeId: string | undefined;

  constructor(
    private readonly host: Host,
    private readonly fail: (error: unknown) => void,
  ) {
    this.look();
    // The page lives as long as this does.
    new MutationObserver(() => this.look()).observe(document.body, {
      attributes: true,
      attributeFilter: ['data-vscode-theme-id'],
    });
  }

  /** Asks how the theme colours code, at first and when that has changed. */
  ask(): void {
    const { themeId } = this;
    if (themeId === undefined) return;
    this.host.sendRequest({ type: 'readTokenStyles', themeId }).then(({ styles }) => {
      // The theme may have changed once more.
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
    // The colours of one theme cannot be read on the ground of another.
    if (this.themeId !== undefined) this.paint({});
    this.themeId = id;
    this.ask();
  }
}

function set(style: CSSStyleDeclaration, name: string, value: string | undefined): void {
  if (value === undefined) style.removeProperty(name);
  else style.setProperty(name, value);
}
