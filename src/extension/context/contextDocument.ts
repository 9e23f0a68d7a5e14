import * as vscode from 'vscode';
import { codeFence } from '../../base/codeFence.ts';
import { shownName } from '../ui/shownName.ts';
import type { ContextNow } from './contextMeter.ts';
import { sentText } from '../../agent/context/sentText.ts';
import type * as LedgersModule from '../../agent/ledger/ledgers.ts';
import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { numberText, percentText, shareOf, tokensText } from '../ui/formats.ts';
import { shownCost } from './costText.ts';

/** How much of one message is shown, in UTF-16 units. */
const MESSAGE_LIMIT = 100_000;
/** The limit for all of them; VS Code shows larger documents without colors. */
const TOTAL_LIMIT = 5_000_000;

type WithLedger = typeof LedgersModule.withLedger;

/** Everything that the next request would send. */
export function contextDocument(
  now: ContextNow,
  path: readonly MessageData[],
  withLedger: WithLedger,
): string {
  return [
    `# ${vscode.l10n.t('Context of {0}', shownName(now.title ?? vscode.l10n.t('New chat')))}`,
    heading(now),
    tokenTable(now),
    `## ${vscode.l10n.t('System prompt')}`,
    ...now.system.map(({ fragment, text, tokens }) => {
      return `### ${shownName(fragment.name)} (${tokensText(tokens)})\n\n${fenced(text, 'xml')}`;
    }),
    ...(path.length === 0 ? [] : [`## ${vscode.l10n.t('Messages')}`, ...messageTexts(now, path, withLedger)]),
    '',
  ].join('\n\n');
}

function heading(now: ContextNow): string {
  const share = shareOf(now);
  const lines = [
    vscode.l10n.t('Branch: {0}', shownName(now.branchLabel)),
    vscode.l10n.t('Model: {0}', shownName(now.model?.label ?? vscode.l10n.t('not available now'))),
    share === undefined || now.window === undefined
      ? vscode.l10n.t('About {0}; context window unknown', tokensText(now.tokens))
      : vscode.l10n.t(
          'About {0}, {1} of the context window of {2}',
          tokensText(now.tokens),
          percentText(share),
          numberText(now.window),
        ),
    ...(shownCost(now)?.lines ?? []),
    vscode.l10n.t('Counted here, without the network; pictures are not counted.'),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

function tokenTable({ system, tools, path, pdfTokens, tokens }: ContextNow): string {
  const prompt = system.reduce((sum, part) => sum + part.tokens, 0);
  const rows: [string, number][] = [
    [vscode.l10n.t('System prompt'), prompt],
    ...system.map(({ fragment, tokens: count }): [string, number] => [
      `— ${shownName(fragment.name)}`,
      count,
    ]),
    ...(tools.count > 0
      ? [[vscode.l10n.t('Tools ({0})', tools.count), tools.tokens] as [string, number]]
      : []),
    [vscode.l10n.t('Messages ({0})', path.messages.length), path.tokens - (path.ledger?.tokens ?? 0)],
    ...(path.ledger ? [[vscode.l10n.t('Ledger'), path.ledger.tokens] as [string, number]] : []),
    ...(pdfTokens > 0
      ? [[vscode.l10n.t('PDFs ({0} pages, about)', path.pages), pdfTokens] as [string, number]]
      : []),
    [vscode.l10n.t('Together'), tokens],
  ];
  return table([
    [vscode.l10n.t('Part'), vscode.l10n.t('Tokens')],
    ...rows.map(([name, count]) => [name, numberText(count)] as const),
  ]);
}

/** In columns, because it is read as text. */
function table([head, ...rows]: readonly (readonly [name: string, count: string])[]): string {
  if (!head) return '';
  const cells = [head, ...rows].map(([name, count]) => [name.replaceAll('|', '\\|'), count] as const);
  const widths = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const [names = 0, counts = 0] = widths;
  const lines = cells.map(([name, count]) => `| ${name.padEnd(names)} | ${count.padStart(counts)} |`);
  return [lines[0], `| ${'-'.repeat(names)} | ${'-'.repeat(counts - 1)}: |`, ...lines.slice(1)].join('\n');
}

function messageTexts(
  { path: { messages, ledger } }: ContextNow,
  path: readonly MessageData[],
  withLedger: WithLedger,
): string[] {
  const stored = new Map(path.map((message) => [message.id, message]));
  let left = TOTAL_LIMIT;
  let number = 0;
  const texts: string[] = [];
  // Last messages first: if there are too many, the first ones are left out.
  for (const { id, tokens } of messages.toReversed()) {
    const message = stored.get(id);
    const read = message?.type === 'message' ? readUIMessage(message.data) : undefined;
    if (!read) continue;
    if (left <= 0) {
      number += 1;
      continue;
    }
    const { text, files, pages } = sentText(ledger ? withLedger(read, ledger) : read);
    const shown = cut(text, Math.min(MESSAGE_LIMIT, left));
    left -= shown.length;
    const facts = [
      tokensText(tokens + (ledger?.messageId === id ? ledger.tokens : 0)),
      ...(pages > 0 ? [vscode.l10n.t('{0} pages of PDFs', pages)] : []),
      ...(files > 0 ? [vscode.l10n.t('{0} attached, not counted', files)] : []),
    ];
    texts.unshift(`### ${read.role} (${facts.join(', ')})\n\n${fenced(shown, '')}`);
  }
  if (number > 0)
    texts.unshift(
      number === 1
        ? vscode.l10n.t('… 1 earlier message is sent as well and not shown here.')
        : vscode.l10n.t('… {0} earlier messages are sent as well and not shown here.', number),
    );
  return texts;
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const more = numberText(text.length - limit);
  return `${text.slice(0, limit)}\n… [${vscode.l10n.t('{0} more characters are sent and not shown here', more)}]`;
}

function fenced(text: string, language: string): string {
  const fence = codeFence(text);
  return `${fence}${language}\n${text}\n${fence}`;
}
