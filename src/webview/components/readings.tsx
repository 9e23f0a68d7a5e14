import type { ComponentChildren, JSX } from 'preact';
import type { ReadingKind, ReadingView } from '../../protocol/workViews.ts';
import { numberText, t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { useOpened } from './disclosure.tsx';

/** In display order. */
const KINDS: readonly ReadingKind[] = ['search', 'folder', 'file', 'problems', 'notes'];

/** Calls that only read something, in one row that expands to each of them. */
export function Readings({
  id,
  readings,
  children,
}: {
  /** Unique in the page. */
  readonly id: string;
  readonly readings: readonly ReadingView[];
  readonly children: ComponentChildren;
}): JSX.Element {
  const [extent, setExtent] = useOpened(`${id} readings`, 0);
  const isOpen = extent > 0;
  return (
    <details
      class="tool readings"
      open={isOpen}
      onToggle={(event) => setExtent(event.currentTarget.open ? 1 : 0)}
    >
      <summary>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span class="tool-title">{readingsText(readings)}</span>
        <span class="tool-state">
          <Icon name="check" />
          <span class="visually-hidden">{t('done')}</span>
        </span>
      </summary>
      {isOpen && <div class="readings-calls">{children}</div>}
    </details>
  );
}

/** A short summary of the calls: “Searched 2 times, read 4 files”. */
export function readingsText(readings: readonly ReadingView[]): string {
  const text = KINDS.flatMap((kind) => kindText(kind, countOf(readings, kind))).join(t(', '));
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Counts each search, but each file or folder only once, however often it was read. */
function countOf(readings: readonly ReadingView[], kind: ReadingKind): number {
  const meant = readings.filter((reading) => reading.kind === kind);
  return kind === 'search' ? meant.length : new Set(meant.map(({ of }) => of)).size;
}

function kindText(kind: ReadingKind, count: number): string[] {
  if (count === 0) return [];
  const number = numberText(count);
  switch (kind) {
    case 'search':
      return [count === 1 ? t('searched once') : t('searched {0} times', number)];
    case 'folder':
      return [count === 1 ? t('listed 1 folder') : t('listed {0} folders', number)];
    case 'file':
      return [count === 1 ? t('read 1 file') : t('read {0} files', number)];
    case 'problems':
      return [t('checked for problems')];
    case 'notes':
      return [t('looked at notes')];
  }
}
