import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { href as toHref } from '../browser/places.ts';
import { Icon, type IconName } from '../icons/icon.tsx';

interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  /** Name of a button that shows only its sign. */
  label?: string;
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** Work is in progress: the button stays in place and says so. */
  busy?: boolean;
  type?: 'button' | 'submit';
  onClick?: (event: MouseEvent) => void;
  pressed?: boolean;
  expanded?: boolean;
  attributes?: ButtonHTMLAttributes<HTMLButtonElement>;
}

export function Button(props: ButtonProps) {
  const {
    children,
    icon,
    label,
    kind = 'plain',
    busy,
    type = 'button',
    onClick,
    pressed,
    expanded,
    attributes,
  } = props;
  return (
    <button
      {...attributes}
      type={type}
      class={`button ${kind}${children ? '' : ' square'}`}
      aria-label={label}
      title={children ? undefined : label}
      aria-busy={busy || undefined}
      aria-pressed={pressed}
      aria-expanded={expanded}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link that looks like a button. @param to place inside the dashboard */
export function LinkButton({
  to,
  children,
  icon,
  kind = 'plain',
}: {
  to: string;
  children: ComponentChildren;
  icon?: IconName;
  kind?: 'primary' | 'plain' | 'quiet';
}) {
  return (
    <a class={`button ${kind}`} href={toHref(to)}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
