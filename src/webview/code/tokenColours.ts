import type { FromHost } from '../../protocol/fromHost.ts';
import { TOKENS } from '../../protocol/tokens.ts';
import type { Host } from '../host.ts';

type CodeStyles = Extract<FromHost, { type: 'codeColoured' }>['styles'];

/**
 * Colours code as the user's theme does. VS Code names the theme on the page's body; the host knows its colours, and
 * they become variables that the styles use. Until it has told, and where it does not know them, the styles have
 * colours of the theme that come close.
 */
export class TokenColours {
  private themeId: string | undefined;

  constructor(private readonly host: Host) {
    this.look();
    // The page lives as long as this does.
    new MutationObserver(() => this.look()).observe(document.body, {
      attributes: true,
      attributeFilter: ['data-vscode-theme-id'],
    });
  }

  take({ themeId, styles }: Extract<FromHost, { type: 'codeColoured' }>): void {
    // The theme may have changed once more.
    if (themeId === this.themeId) this.paint(styles);
  }

  private paint(styles: CodeStyles): void {
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
    this.host.send({ type: 'themeShown', id });
  }
}

function set(style: CSSStyleDeclaration, name: string, value: string | undefined): void {
  if (value === undefined) style.removeProperty(name);
  else style.setProperty(name, value);
}
