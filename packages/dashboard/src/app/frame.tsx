import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { leave } from '../api/entering.ts';
import { can, session, who } from '../api/session.ts';
import type { Who } from '../api/types.ts';
import { href } from '../browser/places.ts';
import { navigate, place } from '../browser/router.ts';
import { shortcuts, useShortcuts } from '../browser/shortcuts.ts';
import { Icon } from '../icons/icon.tsx';
import { Button } from '../kit/button.tsx';
import { Questions } from '../kit/dialog.tsx';
import { Menu, type MenuItem } from '../kit/menu.tsx';
import { timeZone } from '../kit/text.tsx';
import { Toasts } from '../kit/toast.tsx';
import { filled } from '../words/filled.ts';
import { chooseLanguage, type Language, language, languageNames, t } from '../words/words.ts';
import { AccountBanner } from './account-banner.tsx';
import { Outlet } from './outlet.tsx';
import { routes } from './routes.ts';
import { SearchBox } from './search-box.tsx';
import { ShortcutList } from './shortcut-list.tsx';
import { SignInLayer } from './sign-in.tsx';
import { setTheme, theme } from './theme.ts';

/** The frame around a screen: navigation, search and messages. */
export function Frame() {
  const [isOpen, setOpen] = useState(false);
  const [isListed, setListed] = useState(false);
  const { path } = place.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer of a phone closes with the way it has shown
  useEffect(() => setOpen(false), [path]);
  const shown = routes.filter(({ nav, scope }) => nav && can(scope));
  useShortcuts([
    ...shown.map(({ path: to, label, nav }) => ({
      keys: `g ${nav?.key}`,
      label: t.app.goTo(label),
      run: () => void navigate(to || '.'),
    })),
    { keys: '?', label: t.app.shortcuts.list, run: () => setListed(true) },
    { keys: 'Escape', label: t.app.shortcuts.close, run: () => (isOpen ? setOpen(false) : false) },
  ]);
  return (
    <div class="frame">
      {/* biome-ignore lint/a11y/useValidAnchor: leads to a place of this page, whose address the router keeps free of fragments */}
      <a class="skip" href="#main" onClick={skip}>
        {t.app.skip}
      </a>
      <header class="top">
        <span class="drawer-button">
          <Button kind="quiet" icon="menu" label={t.app.menu} expanded={isOpen} onClick={() => setOpen(!isOpen)} />
        </span>
        <a class="store" href={href('')} dir="auto">
          {who.value?.store.name}
        </a>
        <SearchBox />
        <ThemeButton />
        <Menu
          label={t.app.account.title}
          items={[
            { label: t.app.account.shortcuts, icon: 'keyboard', run: () => setListed(true) },
            ...(who.value?.user
              ? [{ label: t.app.account.own, icon: 'customers', run: () => void navigate('account') } as const]
              : []),
            ...languageItems(),
            { label: t.app.account.signOut, icon: 'leave', run: () => void leave() },
          ]}
        />
      </header>
      <Navigation isOpen={isOpen} onClose={() => setOpen(false)} paths={shown} current={path} />
      <main id="main" tabIndex={-1}>
        <AccountBanner />
        <Outlet />
      </main>
      <footer class="bottom">
        <p>{filled(t.app.footer.zone, { zone: <strong>{timeZone()}</strong> })}</p>
        <p>
          {filled(t.app.footer.key, { key: <bdi>{nameOf(who.value)}</bdi> })}
          {shortcuts.value.length > 0 && <> · {filled(t.app.footer.shortcuts, { key: <kbd>?</kbd> })}</>}
        </p>
      </footer>
      <Toasts />
      <Questions />
      {isListed && <ShortcutList onClose={() => setListed(false)} />}
      {session.value.state === 'ended' && <SignInLayer why={session.value.why} />}
    </div>
  );
}

/** The person, or the key, who has signed in. */
function nameOf(one: Who | undefined): string {
  return one?.user?.name || one?.user?.email || one?.key?.name || t.app.account.link;
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Navigation({
  isOpen,
  onClose,
  paths,
  current,
}: {
  isOpen: boolean;
  onClose(): void;
  paths: typeof routes;
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
        <ul>
          {paths.map(({ path, label, nav }) => {
            const isHere = path === '' ? current === '' : current === path || current.startsWith(`${path}/`);
            return (
              <li key={path}>
                <a href={href(path)} aria-current={isHere ? 'page' : undefined} onClick={onClose}>
                  {nav && <Icon name={nav.icon} />}
                  {label}
                </a>
              </li>
            );
          })}
        </ul>
      </nav>
    </>
  );
}

/** The languages; the one in use has a tick. */
function languageItems(): MenuItem[] {
  return Object.entries(languageNames).map(([of, name]) => ({
    label: name,
    ...(of === language ? { icon: 'check' as const } : {}),
    run: () => of !== language && chooseLanguage(of as Language),
  }));
}

/** The sign of each theme, and the theme that follows it. */
const themes = { system: ['system', 'light'], light: ['sun', 'dark'], dark: ['moon', 'system'] } as const;

function ThemeButton() {
  const [sign, next] = themes[theme.value];
  const { label, [theme.value]: name } = t.app.theme;
  return <Button kind="quiet" icon={sign} label={label(name)} onClick={() => setTheme(next)} />;
}
