import config from '../config.js';
import { read, write } from './cart.js';

/**
 * What a buyer ordered, for the thank-you page. The store tells a page nothing about a buyer, so it is kept in this window.
 * @typedef {{ title: string, quantity: number, options?: Record<string, string>, total: string }} PlacedLine
 * @typedef {{ id: string, secret: string | null, address: string[], shipping: string, giftNote?: string, lines: PlacedLine[] }} Placed
 */

const name = `placed ${config.storeId}`;

/** What is entered at the checkout. */
export const draftName = `form ${config.storeId}`;

/** @param {Placed} placed */
export const writePlaced = (placed) => write(sessionStorage, name, placed);

/**
 * @param {string} id of the checkout
 * @returns {Placed | undefined}
 */
export function readPlaced(id) {
  const placed = read(sessionStorage, name);
  return placed?.id === id && Array.isArray(placed.lines) && Array.isArray(placed.address) ? placed : undefined;
}

/** What was entered at the checkout is kept for the next order, but for what was written with this one. */
export function forgetGiftNote() {
  const draft = read(sessionStorage, draftName);
  if (draft?.giftNote) write(sessionStorage, draftName, { ...draft, giftNote: '' });
}
