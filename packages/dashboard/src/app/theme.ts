import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const name = 'commerce.theme';

function readTheme(): Theme {
  const kept = localStorage.getItem(name);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export const theme = signal<Theme>(readTheme());

/** Applies and stores a theme; colours are pairs of `light-dark()`, which follow `color-scheme`. */
export function setTheme(next: Theme): void {
  theme.value = next;
  if (next === 'system') localStorage.removeItem(name);
  else localStorage.setItem(name, next);
  applyTheme();
}

export function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}
