import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { desk } from '../api/desk.ts';
import { who } from '../api/session.ts';
import { href } from '../browser/places.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../words/words.ts';

/** The named parts of the path, passed to a screen. */
export interface ScreenProps {
  params: Record<string, string>;
}

export interface PageProps {
  title: string;
  actions?: ComponentChildren;
  back?: { to: string; label: string };
  /** Next to the title, such as a state. */
  beside?: ComponentChildren;
  children: ComponentChildren;
}

/**
 * A screen: its heading, which receives the focus on arrival, its actions, and its content.
 * @param back link to the parent screen, with its name
 */
export function Page({ title, actions, back, beside, children }: PageProps) {
  const store = who.value?.store.name ?? t.app.name;
  const toSend = desk.value?.toSend ?? 0;
  useEffect(() => {
    const name = t.app.titleOf(title, store);
    document.title = toSend > 0 ? t.app.waiting.title(toSend, name) : name;
  }, [title, store, toSend]);
  return (
    <div class="page">
      <header class="page-head">
        {back && (
          <a class="back" href={href(back.to)}>
            <Icon name="back" />
            {back.label}
          </a>
        )}
        <div class="title-row">
          <h1 tabIndex={-1} dir="auto">
            {title}
          </h1>
          {beside}
          {actions && <div class="actions">{actions}</div>}
        </div>
      </header>
      {children}
    </div>
  );
}

/** A section of a screen with its own heading. */
export function Section({
  title,
  actions,
  children,
  quiet,
}: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
  /** Without its own frame. */
  quiet?: boolean;
}) {
  return (
    <section class={quiet ? 'section' : 'section card'} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}

/** A name and its value. */
export type Fact = [label: ComponentChildren, value: ComponentChildren];

/** Names and values, one below the other. */
export function Facts({ of }: { of: readonly Fact[] }) {
  return (
    <dl class="facts">
      {of.map(([label, value], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no order of their own
        <div key={i}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
