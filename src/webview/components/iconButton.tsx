import type { JSX } from 'preact';
import { Icon } from './icon.tsx';

export interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly class?: string;
  /** For a toggle button. */
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
