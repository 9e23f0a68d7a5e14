import type { HLJSApi } from 'highlight.js';
import { Nearness } from './nearness.ts';
import { languageOf, loadGrammars, type Language } from './grammars.ts';
import { RecentlyUsed } from './recentlyUsed.ts';
import { TOKENS, type TokenStyles } from '../../protocol/chatFromPage.ts';
import type { Host } from '../answersConnection.ts';

/** Longer code, in UTF-16 units, is shown plain: highlighting it would block the page. */
export const MAX_HIGHLIGHTED = 40_000;

/** A line of more than 2,000 UTF-16 units is not meant to be read, and can take grammars long. */
const HAS_LONG_LINE = /[^\n]{2001}/;

/** The size of the cache of highlighted code, in UTF-16 units, so that code is redrawn at once. */
const KEPT = 2_000_000;

interface HighlightRequest {
  readonly code: string;
  readonly language: Language;
  readonly done: (html: string) => void;
}

/** Highlights code, one block per task, so that the page stays responsive. */
export class Highlighter {
  readonly near = new Nearness();
  private readonly kept = new RecentlyUsed<string>(KEPT);
  private readonly loaded = new Map<Language, Promise<void>>();
  private core: Promise<HLJSApi> | undefined;
  private readonly requests = new Set<HighlightRequest>();
  private isWorking = false;

  /** @param fail is called with loading errors */
  constructor(private readonly fail: (error: unknown) => void) {}

  get isIdle(): boolean {
    return !this.isWorking;
  }

  known(code: string, name: string): string | undefined {
    const language = languageOf(name);
    return language && this.kept.get(`${language} ${code}`);
  }

  takes(code: string, name: string): boolean {
    return code.length <= MAX_HIGHLIGHTED && languageOf(name) !== undefined && !HAS_LONG_LINE.test(code);
  }

  /** Highlights in a later task. @returns cancels the request */
  request(code: string, name: string, done: (html: string) => void): () => void {
    const language = languageOf(name);
    if (!language || !this.takes(code, name)) return () => undefined;
    const request = { code, language, done };
    this.requests.add(request);
    if (!this.isWorking) void this.work();
    return () => void this.requests.delete(request);
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    for (let request = first(this.requests); request; request = first(this.requests)) {
      this.requests.delete(request);
      try {
        await this.fulfil(request);
      } catch (error) {
        // The code stays plain but readable.
        this.fail(error);
      }
    }
    this.isWorking = false;
  }

  private async fulfil({ code, language, done }: HighlightRequest): Promise<void> {
    const core = await this.load(language);
    await nextTask();
    const html = markControl(core.highlight(code, { language, ignoreIllegals: true }).value);
    this.kept.set(`${language} ${code}`, html, code.length + html.length);
    done(html);
  }

  private async load(language: Language): Promise<HLJSApi> {
    this.core ??= import('highlight.js/lib/core').then(({ default: core }) => core);
    const core = await this.core;
    const loading = this.loaded.get(language) ?? this.register(core, language);
    this.loaded.set(language, loading);
    await loading;
    return core;
  }

  private async register(core: HLJSApi, language: Language): Promise<void> {
    for (const [name, grammar] of await loadGrammars(language)) {
      if (!core.getLanguage(name)) core.registerLanguage(name, grammar);
    }
  }
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  for (const item of set) return item;
  return undefined;
}

/** Lets the page draw and respond first. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    requestAnimationFrame(() => port2.postMessage(undefined));
  });
}

const CONTROL =
  /<span class="hljs-keyword">(?=(?:if|else|elif|elsif|for|foreach|while|do|loop|until|unless|switch|case|match|when|default|break|continue|return|goto|throw|throws|raise|rescue|try|catch|except|finally|ensure|defer|yield|await|import|export|from|require|include|use|using|package|with|then|fi|done|esac|end|begin|pass|#?include)<\/span>)/g;

/** Themes color control-flow keywords differently from other keywords; the grammars do not distinguish them. */
function markControl(html: string): string {
  return html.replaceAll(CONTROL, '<span class="hljs-keyword control">');
}

/**
 * VS Code names the theme on the page's body; the host knows its colors, and they become CSS variables. Until it has
 * answered, and where it does not know them, the styles use similar colors of the theme.
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
