import { shop } from './shop.js';

/** A day in the time zone of the shop. @param {string} at */
export const day = (at) =>
  new Intl.DateTimeFormat(shop.locale, { dateStyle: 'long', timeZone: shop.timeZone }).format(new Date(at));

/** Date and time to the second, with the time zone of the shop. @param {string} at */
export const moment = (at) =>
  new Intl.DateTimeFormat(shop.locale, { dateStyle: 'long', timeStyle: 'long', timeZone: shop.timeZone }).format(
    new Date(at),
  );
