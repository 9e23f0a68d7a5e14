import * as vscode from 'vscode';
import type { PagePreview } from '../../agent/tools/approvals.ts';
import { sentences } from '../ui/formats.ts';
import { shownName } from '../ui/shownName.ts';

const NAME_LENGTH = 300;

/** What the user should know about a page that will be fetched, in addition to its address. */
export function pageReason({ from, isReadable, isLong }: PagePreview): string | undefined {
  const reasons = [
    ...(from === undefined ? [] : [vscode.l10n.t('{0} redirects there.', shownName(from, NAME_LENGTH))]),
    ...(isLong
      ? [
          vscode.l10n.t(
            'The address is unusually long and could carry data out. It is asked about each time.',
          ),
        ]
      : []),
    ...(isReadable
      ? [vscode.l10n.t('The connection is not encrypted: others can read and change the page.')]
      : []),
  ];
  return reasons.length === 0 ? undefined : sentences(...reasons);
}
