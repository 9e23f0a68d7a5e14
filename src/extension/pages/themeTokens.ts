import * as vscode from 'vscode';
import { z } from 'zod';
import type { Disposable } from '../../base/disposable.ts';
import type { TokenStyles } from '../../protocol/chatFromPage.ts';
import { logFailure } from '../ui/failures.ts';
import type * as themeFile from './themeFile.ts';
import type { ThemeRule } from './themeRules.ts';

type ThemeReader = typeof themeFile;

const contributed = z.object({
  contributes: z.object({
    themes: z.array(z.object({ id: z.string().optional(), label: z.string().optional(), path: z.string() })),
  }),
});

/** The settings of `editor.tokenColorCustomizations` in addition to rules, and what they mean. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  comments: ['comment'],
  strings: ['string'],
  keywords: ['keyword', 'storage'],
  numbers: ['constant.numeric'],
  types: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class'],
  functions: ['entity.name.function', 'support.function'],
  variables: ['variable'],
};

/** VS Code does not give extensions the colors of code: they are read from the theme's own file. */
export class ThemeTokens implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly listening: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.listening = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('editor.tokenColorCustomizations')) this.changed.fire();
    });
  }

  /**
   * @param themeId as VS Code names it to the page
   * @returns nothing if the theme is not available, because it is on another machine or in an older format
   */
  async read(themeId: string): Promise<TokenStyles> {
    try {
      // This loads a parser.
      const reader = await import('./themeFile.ts');
      const rules = await this.rulesOf(themeId, reader);
      // Customizations alone would color some words and leave the rest plain.
      return rules.length === 0 ? {} : reader.tokenStylesOf([...rules, ...customRules(themeId, reader)]);
    } catch (error) {
      logFailure(this.log, 'The colors of the theme', error);
      return {};
    }
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private async rulesOf(themeId: string, { readTheme }: ThemeReader): Promise<ThemeRule[]> {
    for (const { extensionUri, packageJSON } of vscode.extensions.all) {
      const read = contributed.safeParse(packageJSON);
      const theme = read.data?.contributes.themes.find(({ id, label }) => (id ?? label) === themeId);
      if (!theme) continue;
      return readTheme(theme.path, async (file, from) => {
        const base =
          from === undefined ? extensionUri : vscode.Uri.joinPath(vscode.Uri.parse(from, true), '..');
        const uri = vscode.Uri.joinPath(base, file);
        return {
          at: uri.toString(),
          text: new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)),
        };
      });
    }
    return [];
  }
}

/** For all themes, and for this one. */
function customRules(themeId: string, { rulesOf }: ThemeReader): ThemeRule[] {
  const settings: unknown = vscode.workspace.getConfiguration('editor').get('tokenColorCustomizations');
  const all = record(settings);
  const own = Object.entries(all)
    .filter(([key]) => key.startsWith('[') && key.includes(`[${themeId}]`))
    .map(([, value]) => record(value));
  return [all, ...own].flatMap((custom) => [
    ...Object.entries(GROUPS).flatMap(([group, selectors]) => groupRule(custom[group], selectors)),
    ...rulesOf(custom['textMateRules']),
  ]);
}

function groupRule(value: unknown, selectors: readonly string[]): ThemeRule[] {
  const { foreground, fontStyle } = typeof value === 'string' ? { foreground: value } : record(value);
  if (typeof foreground !== 'string' && typeof fontStyle !== 'string') return [];
  return [
    {
      selectors,
      foreground: typeof foreground === 'string' ? foreground : undefined,
      fontStyle: typeof fontStyle === 'string' ? fontStyle : undefined,
    },
  ];
}

function record(value: unknown): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).safeParse(value).data ?? {};
}
