import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';

/** The id of the list, for ARIA attributes of the input. */
export const COMPLETION_ID = 'completion';

export interface CompletionRow {
  /** Unique among the rows. */
  readonly key: string;
  readonly icon: string;
  readonly name: string;
  /** The argument that can be typed after its name. */
  readonly hint?: string | undefined;
  /** Shown next to its name, and truncated where there is no room. */
  readonly detail: string;
  readonly title?: string | undefined;
}

/** `run`: by Enter or a click; `complete`: by Tab, for more to be typed. */
export type Choosing = 'run' | 'complete';

export interface CompletionSource {
  readonly label: string;
  /** Empty: nothing is proposed. */
  readonly rows: readonly CompletionRow[];
  readonly typed: (text: string, caret: number) => void;
  readonly choose: (row: CompletionRow, how: Choosing) => void;
  readonly close: () => void;
}

export interface Completion {
  /** The source that currently has proposals. */
  readonly source: CompletionSource | undefined;
  readonly active: number;
  readonly typed: (text: string, caret: number) => void;
  /** True when the list handled the key. */
  readonly pressed: (event: KeyboardEvent) => boolean;
}

/** One list for all proposals while the user types; the first source that has proposals is used. */
export function useCompletion(sources: readonly CompletionSource[]): Completion {
  /** The row selected with the arrow keys since the last typing. It stays selected when others are added. */
  const [chosenKey, choose] = useState<string>();
  const source = sources.find(({ rows }) => rows.length > 0);
  const rows = source?.rows ?? [];
  const active = Math.max(
    0,
    rows.findIndex(({ key }) => key === chosenKey),
  );
  return {
    source,
    active,
    typed: (text, caret) => {
      choose(undefined);
      for (const each of sources) each.typed(text, caret);
    },
    pressed: (event) => {
      const chosen = rows[active];
      if (!source || !chosen) return false;
      switch (event.key) {
        case 'ArrowDown':
        case 'ArrowUp':
          choose(rows[(active + (event.key === 'ArrowDown' ? 1 : rows.length - 1)) % rows.length]?.key);
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
    <ul
      class="completion"
      id={COMPLETION_ID}
      role="listbox"
      aria-label={source.label}
      // It scrolls, so it must be reachable by keyboard anywhere the focus is; the input handles its keys as well.
      tabIndex={0}
      onKeyDown={completion.pressed}
      // Keeps the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
    >
      {source.rows.map((row, index) => (
        <li
          key={row.key}
          id={`${COMPLETION_ID}-${index}`}
          role="option"
          aria-selected={index === active}
          class={index === active ? 'active' : ''}
          title={row.title}
          onClick={() => source.choose(row, 'run')}
          ref={(element) => {
            if (index === active) element?.scrollIntoView({ block: 'nearest' });
          }}
        >
          <Icon name={row.icon} />
          <span class="completion-name">{row.name}</span>
          {row.hint !== undefined && <span class="completion-hint">{row.hint}</span>}
          <span class="completion-folder">{row.detail}</span>
        </li>
      ))}
    </ul>
  );
}
