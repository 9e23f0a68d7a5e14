import type { JSX } from 'preact';

/** A codicon; what it means is said by the control it stands in. */
export function Icon({ name, spin = false }: { name: string; spin?: boolean }): JSX.Element {
  return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
