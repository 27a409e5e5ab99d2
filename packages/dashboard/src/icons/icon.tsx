import sprite from './sprite.svg';

/** Signs of `sprite.svg`. */
export type IconName =
  | 'home'
  | 'orders'
  | 'products'
  | 'categories'
  | 'customers'
  | 'pages'
  | 'media'
  | 'discounts'
  | 'payments'
  | 'webhooks'
  | 'keys'
  | 'audit'
  | 'settings'
  | 'import'
  | 'search'
  | 'close'
  | 'menu'
  | 'back'
  | 'next'
  | 'down'
  | 'check'
  | 'copy'
  | 'warning'
  | 'info'
  | 'plus'
  | 'more'
  | 'external'
  | 'sun'
  | 'moon'
  | 'system'
  | 'lock'
  | 'clock'
  | 'truck'
  | 'print'
  | 'refresh'
  | 'leave'
  | 'trash'
  | 'up'
  | 'edit'
  | 'bold'
  | 'italic'
  | 'heading'
  | 'list'
  | 'link'
  | 'filter'
  | 'keyboard'
  | 'chart'
  | 'bell'
  | 'star'
  | 'mail'
  | 'return'
  | 'invoice';

const file = new URL(sprite, import.meta.url).href;

/** A decorative sign: the words next to it, or the label of its button, say the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true" focusable="false" width="20" height="20">
      <use href={`${file}#${name}`} />
    </svg>
  );
}
