import type { JSX } from 'preact';

/** A codicon; the surrounding control provides its meaning. */
export function Icon({ name, spin = false }: { name: string; spin?: boolean }): JSX.Element {
  return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
