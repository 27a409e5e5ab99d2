import config from '../config.js';
import { read, write } from './cart.js';

/**
 * What a buyer ordered, for the thank-you page. The store tells a page nothing about a buyer, so it is kept in this window.
 * @typedef {{ title: string, quantity: number, total: string }} PlacedLine
 * @typedef {{ id: string, secret: string | null, address: string[], shipping: string, lines: PlacedLine[] }} Placed
 */

const name = `placed ${config.storeId}`;

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
