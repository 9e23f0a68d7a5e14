import * as vscode from 'vscode';
import { readCaps, type Scope, type ScopedCap } from '../../agent/budget/budgetCaps.ts';
import type { Settings } from '../manifest/settings.ts';
import { moneyText, numberText } from '../ui/formats.ts';
import { askText } from '../ui/inputBox.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';

export interface CapContext {
  readonly settings: Pick<Settings, 'get' | 'set'>;
}

interface CapRow extends PickRow {
  readonly scope: Scope;
  readonly unit: 'dollars' | 'tokens';
  readonly cap: number;
}

/** Asks which cap to raise, if there are several, and to what. @returns whether one was raised */
export async function raiseCap({ settings }: CapContext): Promise<boolean> {
  const caps = readCaps(settings.get('budget'));
  const rows = rowsOf(caps);
  const title = vscode.l10n.t('Raise Cap');
  const picked =
    rows.length < 2
      ? rows[0]
      : await pickOne(rows, { title, placeHolder: vscode.l10n.t('Select the cap to raise') });
  if (!picked) return false;
  const { scope, unit, cap, label } = picked;
  const entered = await askText({
    title,
    prompt:
      unit === 'dollars'
        ? vscode.l10n.t('New cap in US dollars, instead of {0}', label)
        : vscode.l10n.t('New cap in tokens, instead of {0}', label),
    value: String(cap === 0 ? 1 : cap * 2),
    validateInput: (value) =>
      numberIn(value, unit) > cap ? undefined : vscode.l10n.t('Enter a number above {0}', String(cap)),
  });
  if (entered === undefined) return false;
  const raised = caps.map((each) =>
    each.scope === scope ? { ...each, [unit]: numberIn(entered, unit) } : each,
  );
  await settings.set(
    'budget',
    Object.fromEntries(raised.map(({ scope: name, ...amounts }) => [name, amounts])),
  );
  return true;
}

/** The caps that are set, for the user. @throws BudgetUnreadableError */
export function capTexts(settings: Pick<Settings, 'get'>): readonly string[] {
  return rowsOf(readCaps(settings.get('budget'))).map(({ label }) => label);
}

function rowsOf(caps: readonly ScopedCap[]): CapRow[] {
  return caps.flatMap((cap) =>
    (['dollars', 'tokens'] as const).flatMap((unit): CapRow[] => {
      const { scope } = cap;
      const limit = cap[unit];
      return limit === undefined ? [] : [{ label: capLabel(scope, unit, limit), scope, unit, cap: limit }];
    }),
  );
}

/** NaN for what is no number. */
function numberIn(text: string, unit: CapRow['unit']): number {
  const number = text.trim() === '' ? NaN : Number(text);
  return unit === 'dollars' || Number.isSafeInteger(number) ? number : NaN;
}

function capLabel(scope: Scope, unit: CapRow['unit'], cap: number): string {
  const amount = unit === 'dollars' ? moneyText(cap) : vscode.l10n.t('{0} tokens', numberText(cap));
  switch (scope) {
    case 'perMessage':
      return vscode.l10n.t('{0} per message', amount);
    case 'perBranch':
      return vscode.l10n.t('{0} per branch', amount);
    case 'perChat':
      return vscode.l10n.t('{0} per chat', amount);
    case 'perDay':
      return vscode.l10n.t('{0} per day', amount);
  }
}
