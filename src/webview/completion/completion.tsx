import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';

/** The list's own id: the input says that it belongs to it. */
export const COMPLETION_ID = 'completion';

/** A row of the list. */
export interface CompletionRow {
  /** Its own among the rows. */
  readonly key: string;
  readonly icon: string;
  readonly name: string;
  /** What is shown beside its name, and cut where there is no room. */
  readonly detail: string;
  readonly title?: string | undefined;
}

/** `run`: by Enter or a click; `complete`: by Tab, for more to be typed. */
export type Choosing = 'run' | 'complete';

/** What proposes something for what is being typed. */
export interface CompletionSource {
  /** What the list is of. */
  readonly label: string;
  /** None: nothing is proposed. */
  readonly rows: readonly CompletionRow[];
  /** Called on each change of the text, with where one types. */
  readonly typed: (text: string, caret: number) => void;
  readonly choose: (row: CompletionRow, how: Choosing) => void;
  readonly close: () => void;
}

export interface Completion {
  /** The one that proposes something now. */
  readonly source: CompletionSource | undefined;
  readonly active: number;
  readonly typed: (text: string, caret: number) => void;
  /** True when the key was for the list. */
  readonly pressed: (event: KeyboardEvent) => boolean;
}

/** One list for whatever is proposed while one types; of several sources the first that has something. */
export function useCompletion(sources: readonly CompletionSource[]): Completion {
  const [active, setActive] = useState(0);
  const source = sources.find(({ rows }) => rows.length > 0);
  const rows = source?.rows ?? [];
  useEffect(() => setActive(0), [rows.map(({ key }) => key).join('\n')]);
  return {
    source,
    active: Math.min(active, rows.length - 1),
    typed: (text, caret) => {
      for (const each of sources) each.typed(text, caret);
    },
    pressed: (event) => {
      const chosen = rows[active] ?? rows[0];
      if (!source || !chosen) return false;
      switch (event.key) {
        case 'ArrowDown':
        case 'ArrowUp':
          setActive((active + (event.key === 'ArrowDown' ? 1 : rows.length - 1)) % rows.length);
          break;
        case 'Enter':
        case 'Tab':
          source.choose(chosen, event.key === 'Tab' ? 'complete' : 'run');
          break;
        case 'Escape':
          source.close();
          break;
        default:
          return false;
      }
      event.preventDefault();
      return true;
    },
  };
}

export function CompletionList({ completion }: { completion: Completion }): JSX.Element | null {
  const { source, active } = completion;
  if (!source) return null;
  return (
    <ul class="completion" id={COMPLETION_ID} role="listbox" aria-label={source.label}>
      {source.rows.map((row, index) => (
        <li
          key={row.key}
          id={`${COMPLETION_ID}-${index}`}
          role="option"
          aria-selected={index === active}
          class={index === active ? 'active' : ''}
          title={row.title}
          // The input keeps the keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => source.choose(row, 'run')}
          ref={(element) => {
            if (index === active) element?.scrollIntoView({ block: 'nearest' });
          }}
        >
          <Icon name={row.icon} />
          <span class="completion-name">{row.name}</span>
          <span class="completion-folder">{row.detail}</span>
        </li>
      ))}
    </ul>
  );
}
