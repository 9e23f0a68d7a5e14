import type { JSX } from 'preact';
import type { MessageView, ReportView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { Markdown } from './markdown.tsx';
import { usePage } from './pageContext.ts';

/** Where the agent went back to its checkpoint: what it reports, and the way to what it explored. */
export function Report({ message, report }: { message: MessageView; report: ReportView }): JSX.Element {
  const { host } = usePage();
  const { goal, exploredBranch: branch } = report;
  return (
    <details class="report">
      <summary>
        <Icon name="discard" />
        <span class="tool-title" title={goal}>
          {t('Explored: {0}', goal)}
        </span>
      </summary>
      {message.parts.map((part, index) =>
        part.type === 'text' ? <Markdown key={index} text={part.text} /> : null,
      )}
      {branch !== undefined && (
        <button type="button" class="link-button" onClick={() => host.send({ type: 'switchBranch', branch })}>
          {t('Show what was explored, in branch {0}', branch)}
        </button>
      )}
    </details>
  );
}
