import * as vscode from 'vscode';
import { numberText } from './formats.ts';

/** A number of tokens in words. */
export function tokensText(tokens: number): string {
  return tokens === 1 ? vscode.l10n.t('1 token') : vscode.l10n.t('{0} tokens', numberText(tokens));
}

/** The same in a short form: `950`, `12.3k`, `1.2M`. */
export function shortTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  const [scaled, unit] = tokens < 999_500 ? [tokens / 1_000, 'k'] : [tokens / 1_000_000, 'M'];
  return `${numberText(scaled, { maximumFractionDigits: scaled < 100 ? 1 : 0 })}${unit}`;
}

/** The used share of the context window, from 0 on; undefined while its size is not known. */
export function shareOf({
  tokens,
  window,
}: {
  readonly tokens: number;
  readonly window: number | undefined;
}): number | undefined {
  return window === undefined || window <= 0 ? undefined : tokens / window;
}

export function percentText(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1%';
  return numberText(share, { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 });
}
