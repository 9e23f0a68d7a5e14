import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { ChangeView } from '../../protocol/views.ts';
import { numberText, t } from '../state/texts.ts';
import { usePage } from './pageContext.ts';

interface ChangedLines {
  readonly kind: 'same' | 'removed' | 'added';
  readonly lines: readonly string[];
}

export function Changes({ changes }: { changes: readonly ChangeView[] }): JSX.Element {
  return (
    <>
      <div class="tool-label">{t('Changes')}</div>
      {changes.map((change, index) => (
        <Change key={index} change={change} />
      ))}
    </>
  );
}

/** Shows all old lines as removed and all new ones as added, until it is known which are unchanged. */
function Change({ change: { before, after, cut } }: { change: ChangeView }): JSX.Element {
  const page = usePage();
  const [parts, setParts] = useState<readonly ChangedLines[]>(() => [
    { kind: 'removed', lines: linesOf(before) },
    { kind: 'added', lines: linesOf(after) },
  ]);
  useEffect(() => {
    let isCurrent = true;
    compare(before, after).then(
      (compared) => {
        if (isCurrent) setParts(compared);
      },
      (error: unknown) => page.fail(String(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [before, after]);
  return (
    <pre class="changes" tabIndex={0} dir="ltr">
      {parts.map(({ kind, lines }, part) =>
        lines.map((line, index) => <Line key={`${part} ${index}`} kind={kind} text={line} />),
      )}
      {cut !== undefined && <span class="cut">{t('… {0} more characters', numberText(cut))}</span>}
    </pre>
  );
}

const signs = { same: ' ', removed: '−', added: '+' } as const;

/** The sign conveys what color alone would. Changes to be approved must not hide anything. */
function Line({ kind, text }: { kind: ChangedLines['kind']; text: string }): JSX.Element {
  const Element = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span';
  return (
    <Element class="line">
      <span class="sign">{signs[kind]}</span>
      {withHiddenSpelledOut(text)}
      {'\n'}
    </Element>
  );
}

async function compare(before: string, after: string): Promise<ChangedLines[]> {
  const { diffLines } = await import('diff');
  return diffLines(before, after).map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: linesOf(value),
  }));
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/u, '').split(/\r?\n/u);
}
