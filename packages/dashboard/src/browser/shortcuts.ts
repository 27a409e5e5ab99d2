import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { KeyMatcher, type Shortcut } from './keyboard.ts';

/** Active shortcuts: the newest part of the page first. */
export const shortcuts = signal<readonly Shortcut[]>([]);

const setting = 'commerce.singleKeys';

/** Whether keys without Ctrl or ⌘ are active. */
export const singleKeys = signal(localStorage.getItem(setting) !== 'off');

export function setSingleKeys(on: boolean): void {
  singleKeys.value = on;
  localStorage.setItem(setting, on ? 'on' : 'off');
}

/** Adds shortcuts while the component is mounted. */
export function useShortcuts(own: readonly Shortcut[]): void {
  const current = useRef(own);
  current.current = own;
  const names = own.map(({ keys, label }) => `${keys}\n${label}`).join('\n');
  // Not after the next paint: the keys of a part that is gone would be swallowed until then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names say when the list is another one
  useLayoutEffect(() => {
    const added = current.current.map(({ keys, label }, i) => ({
      keys,
      label,
      run: (event: KeyboardEvent) => current.current[i]?.run(event),
    }));
    shortcuts.value = [...added, ...shortcuts.value];
    return () => {
      shortcuts.value = shortcuts.value.filter((one) => !added.includes(one));
    };
  }, [names]);
}

/** Listens for all shortcuts of the page. */
export function startKeyboard(): void {
  const matcher = new KeyMatcher();
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    // With a layer above the page, only its own keys count.
    if (document.querySelector('dialog[open]')) return;
    const found = matcher.match(
      shortcuts.value,
      { ...pressOf(event), inText: isText(event.target) },
      singleKeys.value,
      event.timeStamp,
    );
    if (found && found.run(event) !== false) event.preventDefault();
  });
}

function pressOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  return { key, ctrlKey, metaKey, altKey };
}

function isText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit', 'range'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
