import * as vscode from 'vscode';
import { dayText } from './formats.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago something was, in few words. */
export function timeAgo(time: number, now = Date.now()): string {
  const age = Math.max(0, now - time);
  if (age < MINUTE) return vscode.l10n.t('now');
  if (age < HOUR) return vscode.l10n.t('{0} min', Math.floor(age / MINUTE));
  if (age < DAY) return vscode.l10n.t('{0} h', Math.floor(age / HOUR));
  if (age < 7 * DAY) return vscode.l10n.t('{0} d', Math.floor(age / DAY));
  return dayText(time);
}
