import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/errors.ts';
import { can } from '../api/session.ts';
import { arrival, place } from '../browser/router.ts';
import { LinkButton } from '../kit/button.tsx';
import { Page, type ScreenProps } from '../kit/page.tsx';
import { Empty, Failed, NoScope, Skeleton } from '../kit/states.tsx';
import { t } from '../words/words.ts';
import { matchPath } from './matching.ts';
import { type Route, routes } from './routes.ts';

/** The route of a path, with the values of its named parts. */
function find(path: string): { route: Route; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (params) return { route, params };
  }
  return undefined;
}

/** The screen of the address. */
export function Outlet() {
  const { path } = place.value;
  const found = find(path);
  useArrival(path);
  if (!found) {
    return (
      <Page title={t.app.notFound.screen}>
        <Empty title={t.app.notFound.title} icon="search">
          <LinkButton to="">{t.app.notFound.home}</LinkButton>
        </Empty>
      </Page>
    );
  }
  const { route, params } = found;
  if (!can(route.scope)) {
    return (
      <Page title={route.label}>
        <NoScope scope={route.scope ?? ''} what={route.label} />
      </Page>
    );
  }
  return <Screen key={path} route={route} params={params} />;
}

const missing = new ApiError({
  status: 0,
  code: 'FAULT',
  message: t.app.notLoaded,
});

const known = new Map<Route, ComponentType<ScreenProps>>();

/** Loads the screen's script on first use. */
function Screen({ route, params }: { route: Route; params: Record<string, string> }) {
  const [, draw] = useState(0);
  const [failure, setFailure] = useState<ApiError>();
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn tries again
  useEffect(() => {
    if (known.has(route)) return;
    let isGone = false;
    setFailure(undefined);
    route.load().then(
      (module) => {
        known.set(route, module.default);
        if (!isGone) draw((n) => n + 1);
      },
      () => !isGone && setFailure(missing),
    );
    return () => {
      isGone = true;
    };
  }, [route, turn]);
  const Component = known.get(route);
  if (Component) return <Component params={params} />;
  if (failure === undefined) return <Skeleton rows={5} />;
  // A newer build has other files: the page has to be reloaded.
  return <Failed error={failure} onRetry={() => (turn > 0 ? location.reload() : setTurn(turn + 1))} />;
}

/** Milliseconds in which a screen can grow until the old scroll position is reachable. */
const growTime = 3000;

/** Moves the focus to the heading of a new screen; on the way back, restores the scroll position. */
function useArrival(path: string): void {
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another screen
  useLayoutEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const { kind, scrollTo: target } = arrival.value;
    if (kind === 'same') return;
    if (kind === 'move') scrollTo(0, 0);
    const end = performance.now() + growTime;
    const before = document.activeElement;
    let frame = 0;
    const stop = () => cancelAnimationFrame(frame);
    const step = () => {
      const heading = document.querySelector<HTMLElement>('main h1');
      if (heading && isLeft(before)) heading.focus({ preventScroll: true });
      const isThere = kind === 'move' || scrollY >= target - 1;
      if (kind === 'back' && !isThere) scrollTo(0, target);
      if ((!heading || !isThere) && performance.now() < end) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    addEventListener('wheel', stop, { once: true, passive: true });
    addEventListener('pointerdown', stop, { once: true, passive: true });
    return () => {
      stop();
      removeEventListener('wheel', stop);
      removeEventListener('pointerdown', stop);
    };
  }, [path]);
}

/** True if the focus is nowhere, or is still where it was outside of the screens: the user has not moved it. */
function isLeft(before: Element | null): boolean {
  const now = document.activeElement;
  if (now === null || now === document.body) return true;
  return now === before && now.closest('main, dialog') === null;
}
