import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { useOpened } from './useOpened.ts';

/**
 * A panel above the input: one line that opens it, with actions next to it. When the panel disappears, the focus
 * moves to the input.
 */
export function FoldingPanel({
  name,
  label,
  line,
  actions,
  children,
}: {
  /**
   * Its CSS class, the prefix of its parts' classes (`name-line`, `name-toggle`), and the key of its remembered
   * state.
   */
  name: string;
  label: string;
  line: ComponentChildren;
  actions: ComponentChildren;
  /** The list, once it is opened. */
  children: () => ComponentChildren;
}): JSX.Element {
  const [extent, setExtent] = useOpened(name, 0);
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const shown = section.current;
    return () => {
      if (shown?.contains(document.activeElement) === true)
        document.querySelector<HTMLElement>('.composer textarea')?.focus();
    };
  }, []);
  const isOpen = extent > 0;
  return (
    <section ref={section} class={name} aria-label={label}>
      <div class={`${name}-line`}>
        <button
          type="button"
          class={`${name}-toggle`}
          aria-expanded={isOpen}
          onClick={() => setExtent(isOpen ? 0 : 1)}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          {line}
        </button>
        {actions}
      </div>
      {isOpen && <ul>{children()}</ul>}
    </section>
  );
}
