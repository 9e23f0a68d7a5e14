import * as vscode from 'vscode';
import { registerContextDocuments } from './contextDocuments.ts';
import { registerContextView, CONTEXT_VIEW } from './contextView.ts';
import { numberText, percentText, shareOf, shortTokens } from '../ui/formats.ts';
import { oneLine, shownName } from '../ui/shownName.ts';
import { StatusItem } from '../ui/statusBar.ts';
import { tooltip } from '../ui/tooltip.ts';
import { THRESHOLDS } from './contextWarnings.ts';
import type { ContextNow, ContextMeter } from './contextMeter.ts';
import { commandLink } from '../manifest/runCommand.ts';

export function registerContext(
  deps: Parameters<typeof registerContextDocuments>[0] & Parameters<typeof registerContextView>[0],
): vscode.Disposable {
  return vscode.Disposable.from(
    registerContextView(deps),
    registerContextDocuments(deps),
    registerStatusBar(deps.context),
  );
}

/** How much space a branch's name has, in characters. */
const NAME_LENGTH = 24;

function registerStatusBar(context: ContextMeter): vscode.Disposable {
  const item = new StatusItem(
    'offshoot.context',
    100,
    vscode.l10n.t('Offshoot: Branch and Tokens'),
    commandLink(`${CONTEXT_VIEW}.focus`, vscode.l10n.t('Show the Context')),
  );
  const show = (now: ContextNow): void => {
    if (!now.branch || now.path.messages.length === 0) {
      item.hide();
      return;
    }
    const share = shareOf(now);
    const parts = [shortTokens(now.tokens), ...(share === undefined ? [] : [percentText(share)])];
    const description = tooltip(
      vscode.l10n.t('Offshoot: {0}', shownName(now.title ?? vscode.l10n.t('New chat'))),
      vscode.l10n.t('Branch {0}', shownName(now.branchLabel)),
      now.branch.name === now.branchLabel ? '' : shownName(now.branch.name),
      share === undefined || now.window === undefined
        ? vscode.l10n.t('Context: {0} tokens (size of the context window unknown)', numberText(now.tokens))
        : vscode.l10n.t(
            'Context: {0} of {1} tokens ({2})',
            numberText(now.tokens),
            numberText(now.window),
            percentText(share),
          ),
    );
    item.show({
      icon: 'git-branch',
      text: `${oneLine(shownName(now.branchLabel), NAME_LENGTH)} · ${parts.join(' · ')}`,
      tooltip: description,
      accessibilityLabel: vscode.l10n.t(
        'Offshoot: branch {0}, {1}',
        shownName(now.branchLabel),
        parts.join(', '),
      ),
      backgroundColor:
        share !== undefined && share >= THRESHOLDS[0]
          ? new vscode.ThemeColor('statusBarItem.warningBackground')
          : undefined,
    });
  };
  // Not during activation: this opens the database.
  const first = setTimeout(() => context.refresh(), 0);
  return vscode.Disposable.from(item, context.onDidChange(show), { dispose: () => clearTimeout(first) });
}
