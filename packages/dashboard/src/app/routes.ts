import type { ComponentType } from 'preact';
import type { Scope } from '../api/types.ts';
import type { IconName } from '../icons/icon.tsx';

/** A screen gets the named parts of its path. */
export interface ScreenProps {
  params: Record<string, string>;
}

export interface Route {
  /** Path below the dashboard; parts that begin with a colon are handed to the screen. */
  path: string;
  /** What the screen is called, where it can be refused. */
  label: string;
  /** Scope without which the screen says what is missing, and the navigation leaves it out. */
  scope?: Scope;
  load(): Promise<{ default: ComponentType<ScreenProps> }>;
  /** Place in the navigation, with a sign and the second key of `g …`. */
  nav?: { icon: IconName; key: string };
}

/** Every screen in one line; those with `nav` stand in the navigation in this order. */
export const routes: readonly Route[] = [
  {
    path: '',
    label: 'Overview',
    load: () => import('../screens/overview/overview.tsx'),
    nav: { icon: 'home', key: 'h' },
  },
  {
    path: 'orders',
    label: 'Orders',
    scope: 'order.read',
    load: () => import('../screens/orders/orders.tsx'),
    nav: { icon: 'orders', key: 'o' },
  },
  { path: 'orders/:id', label: 'Orders', scope: 'order.read', load: () => import('../screens/orders/order.tsx') },
  { path: 'orders/:id/slip', label: 'Orders', scope: 'order.read', load: () => import('../screens/orders/slip.tsx') },
];
