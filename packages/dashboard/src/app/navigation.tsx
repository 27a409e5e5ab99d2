import { useLayoutEffect, useRef } from 'preact/hooks';
import { desk } from '../api/desk.ts';
import { href } from '../browser/places.ts';
import { Icon } from '../icons/icon.tsx';
import { formatNumber } from '../words/forms.ts';
import { t } from '../words/words.ts';
import type { Group, Route } from './routes.ts';

/** What waits at a place of the navigation, by its path. */
const waiting: Record<string, { figure: 'toSend' | 'unmatchedPayments'; words: (count: number) => string }> = {
  orders: { figure: 'toSend', words: t.app.waiting.toSend },
  payments: { figure: 'unmatchedPayments', words: t.app.waiting.payments },
};

interface Block {
  /** Undefined for places that are each a group of one: they need no heading. */
  heading: Group | undefined;
  places: Route[];
}

/** The places in the blocks of the navigation. Groups of one place that follow each other share a block. */
export function blocksOf(places: readonly Route[]): Block[] {
  const groups = Map.groupBy(places, ({ nav }) => nav?.group ?? 'home');
  const blocks: Block[] = [];
  for (const [group, own] of groups) {
    const last = blocks.at(-1);
    if (own.length > 1) blocks.push({ heading: group, places: own });
    else if (last && last.heading === undefined && group !== 'home') last.places.push(...own);
    else blocks.push({ heading: undefined, places: [...own] });
  }
  return blocks;
}

/** The places of the dashboard in groups; a drawer on a phone. */
export function Navigation({
  isOpen,
  onClose,
  places,
  current,
}: {
  isOpen: boolean;
  onClose(): void;
  places: readonly Route[];
  current: string;
}) {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    ref.current?.querySelector<HTMLElement>('a')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isOpen]);
  return (
    <>
      {/* biome-ignore lint/a11y: what is beside the drawer closes it; Escape does for keys */}
      {isOpen && <div class="shade" onClick={onClose} />}
      <nav ref={ref} class={`side${isOpen ? ' open' : ''}`} aria-label={t.app.navigation}>
        {blocksOf(places).map(({ heading, places: own }) => (
          <div key={own[0]?.path} class="group">
            {heading && <p id={`group-${heading}`}>{t.app.groups[heading]}</p>}
            <ul aria-labelledby={heading && `group-${heading}`}>
              {own.map((route) => (
                <li key={route.path}>
                  <PlaceLink route={route} current={current} onClose={onClose} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </>
  );
}

function PlaceLink({
  route: { path, label, nav },
  current,
  onClose,
}: {
  route: Route;
  current: string;
  onClose(): void;
}) {
  const isHere = path === '' ? current === '' : current === path || current.startsWith(`${path}/`);
  const waits = waiting[path];
  const count = (waits && desk.value?.[waits.figure]) || 0;
  return (
    <a href={href(path)} aria-current={isHere ? 'page' : undefined} onClick={onClose}>
      {nav && <Icon name={nav.icon} />}
      {label}
      {waits && count > 0 && (
        <span class="count" title={waits.words(count)}>
          <span aria-hidden="true">{formatNumber(count)}</span>
          <span class="unseen">, {waits.words(count)}</span>
        </span>
      )}
    </a>
  );
}
