import type { JSX } from 'preact';

/** A codicon; the surrounding control provides its meaning. */
export function Icon({ name, spin = false }: { name: string; spin?: boolean }): JSX.Element {
  return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly class?: string;
  readonly pressed?: boolean;
}

/** A button with an icon; its label is the tooltip and the accessible name. */
export function IconButton({
  icon,
  label,
  onClick,
  disabled = false,
  class: extra = '',
  pressed,
}: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={`icon-button ${extra}`}
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
