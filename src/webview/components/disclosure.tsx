import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from './pageContext.ts';

export interface DisclosureProps {
  /** Unique in the page. */
  readonly id: string;
  readonly class: string;
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
  readonly startsOpen?: boolean;
}

export function Disclosure(props: DisclosureProps): JSX.Element {
  const [extent, setExtent] = useOpened(props.id, props.startsOpen === true ? 1 : 0);
  return (
    <details
      class={props.class}
      open={extent > 0}
      onToggle={(event) => setExtent(event.currentTarget.open ? 1 : 0)}
    >
      <summary>{props.summary}</summary>
      {props.children}
    </details>
  );
}

/**
 * How far an element is opened, and a function to change that; remembered even while it is not drawn.
 * @param id unique in the page
 * @param atFirst 0 for closed, 1 for open, more for further expansion
 */
export function useOpened(id: string, atFirst: number): [number, (extent: number) => void] {
  const { opened } = usePage();
  const [extent, setExtent] = useState(() => opened.get(id, atFirst));
  return [
    extent,
    (next) => {
      opened.set(id, next);
      setExtent(next);
    },
  ];
}
