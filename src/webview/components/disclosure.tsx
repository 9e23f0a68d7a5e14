import type { ComponentChildren, JSX } from 'preact';
import { useOpened } from './useOpened.ts';

export interface DisclosureProps {
  /** Unique in the page. */
  readonly id: string;
  readonly class: string;
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
  readonly startsOpen?: boolean;
}

/** An expandable line; its state is remembered. */
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
