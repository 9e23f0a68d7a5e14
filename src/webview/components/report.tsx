import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { MessageView, ReportView } from '../../protocol/views.ts';
import { shortNumber, t, usageText, usageTitle } from '../state/texts.ts';
import { Disclosure } from './disclosure.tsx';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { Markdown } from './markdown.tsx';
import { usePage } from './pageContext.ts';

export function Report({ message, report }: { message: MessageView; report: ReportView }): JSX.Element {
  const { host } = usePage();
  const isCompacted = report.kind === 'compacted';
  const { exploredBranch: branch, kind } = report;
  const face = faceOf(report);
  return (
    // An exploration by the agent is a detail of its answer; a summary is all that is shown of what it replaces.
    <Disclosure
      id={`${message.id} report`}
      class={isCompacted ? 'report compacted' : 'report'}
      // Automatic compaction: a line in the conversation.
      startsOpen={kind !== undefined && !isCompacted}
      summary={
        <>
          <Icon name={face.icon} />
          <span class="tool-title" title={withHiddenSpelledOut(face.title)} dir="auto">
            <HiddenMarked text={face.title} />
          </span>
          {isCompacted || report.tokens ? (
            <SummarySize message={message} report={report} />
          ) : (
            report.model !== undefined && <span class="usage">{report.model}</span>
          )}
        </>
      }
    >
      {message.parts.map((part, index) =>
        part.type === 'text' ? <Markdown key={index} id={`${message.id} ${index}`} text={part.text} /> : null,
      )}
      {branch !== undefined && (
        <button type="button" class="link-button" onClick={() => host.send({ type: 'switchBranch', branch })}>
          {offerOf(report)}
        </button>
      )}
    </Disclosure>
  );
}

function SummarySize({ message, report }: { message: MessageView; report: ReportView }): JSX.Element {
  const { tokens, model = '' } = report;
  const { usage } = message;
  const title = [model, ...(usage ? [usageTitle(usage)] : [])].join('\n');
  return (
    <span class="usage" title={title}>
      {[
        ...(tokens ? [t('{0} → {1} tokens', shortNumber(tokens.before), shortNumber(tokens.after))] : []),
        ...(usage?.cost === undefined ? [] : [usageText(usage)]),
      ].join(' · ')}
    </span>
  );
}

/** What leads to the branch, which the head of what was merged names. */
function offerOf({ kind, exploredBranch = '', exploredLabel = exploredBranch }: ReportView): string {
  switch (kind) {
    case undefined:
      return t('Show what was explored');
    case 'brought-back':
      return t('Show the full text');
    default:
      return t('Show the full text, in branch {0}', exploredLabel);
  }
}

function faceOf({ kind, goal, count = 0 }: ReportView): { readonly icon: string; readonly title: string } {
  switch (kind) {
    case undefined:
      return { icon: 'discard', title: t('Explored: {0}', goal) };
    case 'up-to-here':
      return {
        icon: 'fold-up',
        title: count === 1 ? t('Summary of 1 earlier message') : t('Summary of {0} earlier messages', count),
      };
    case 'from-here':
      return {
        icon: 'fold-down',
        title: count === 1 ? t('Summary of 1 later message') : t('Summary of {0} later messages', count),
      };
    case 'compacted':
      return {
        icon: 'fold',
        title: count === 1 ? t('Compacted 1 message') : t('Compacted {0} messages', count),
      };
    case 'brought-back':
      return { icon: 'git-merge', title: t('Merged from {0}', goal) };
    case 'note':
      return { icon: 'note', title: t('Note') };
  }
}
