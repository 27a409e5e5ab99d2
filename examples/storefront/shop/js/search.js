import { listProducts } from './api.js';
import { byId, debounced, fill, h } from './dom.js';
import { groupPrice, imageOf, nameOf } from './groups.js';
import { picture } from './picture.js';
import { listPage, productUrl } from './urls.js';

/** Most suggestions. */
const most = 8;
/** Milliseconds without typing after which the shop is asked. */
const pause = 150;

/** The search of the head, which proposes products while a buyer types. `wireSearch` makes it work. */
export const searchBox = () =>
  h(
    'form',
    { role: 'search', class: 'search', action: listPage, id: 'search' },
    h('label', { class: 'hidden', for: 'q' }, 'Search the shop'),
    h('input', {
      id: 'q',
      name: 'q',
      type: 'search',
      placeholder: 'Search',
      maxlength: 200,
      autocomplete: 'off',
      enterkeyhint: 'search',
      role: 'combobox',
      'aria-expanded': 'false',
      'aria-controls': 'suggestions',
      'aria-autocomplete': 'list',
    }),
    h('ul', { id: 'suggestions', class: 'suggestions', role: 'listbox', 'aria-label': 'Suggestions', hidden: true }),
    h('p', { id: 'suggested', class: 'hidden', role: 'status' }),
  );

export function wireSearch() {
  const box = /** @type {HTMLInputElement} */ (byId('q'));
  const list = byId('suggestions');
  const form = byId('search');
  /** The request for the text before is ended by the next one. */
  let current = new AbortController();
  let active = -1;
  /** The text that was searched for: its list needs no suggestions. */
  let searched = '';

  const close = () => {
    current.abort();
    list.hidden = true;
    box.setAttribute('aria-expanded', 'false');
    fill(byId('suggested'));
    mark(-1);
  };

  /** @param {number} index of the option that Enter opens; -1 for none */
  function mark(index) {
    active = index;
    for (const [i, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(i === index));
      if (i === index) option.scrollIntoView({ block: 'nearest' });
    }
    if (index < 0) box.removeAttribute('aria-activedescendant');
    else box.setAttribute('aria-activedescendant', `suggestion-${index}`);
  }

  async function suggest() {
    current.abort();
    current = new AbortController();
    const { signal } = current;
    const text = box.value.trim();
    if (text === '' || text === searched) return close();
    try {
      const query = { search: text, group: 'variants', include: 'media', sort: 'relevance', limit: most };
      const { items } = await listProducts(query, signal);
      if (signal.aborted) return;
      show(items);
    } catch {
      // Suggestions are a help: without them the search itself still says what is wrong.
      if (!signal.aborted) close();
    }
  }

  /** @param {import('./groups.js').Listed[]} found */
  function show(found) {
    fill(
      list,
      found.map((product, i) =>
        h(
          'li',
          {
            id: `suggestion-${i}`,
            role: 'option',
            'aria-selected': 'false',
            'data-href': productUrl(product),
            // The box keeps the focus.
            onmousedown: (event) => event.preventDefault(),
            onclick: () => open(i),
          },
          picture(imageOf(product), { sizes: '3rem', alt: '' }),
          h('span', {}, nameOf(product)),
          h('span', { class: 'price' }, groupPrice(product)),
        ),
      ),
    );
    const isOpen = found.length > 0 && document.activeElement === box;
    list.hidden = !isOpen;
    box.setAttribute('aria-expanded', String(isOpen));
    mark(-1);
    fill(
      byId('suggested'),
      found.length === 0 ? 'No suggestions' : `${found.length} ${found.length === 1 ? 'suggestion' : 'suggestions'}`,
    );
  }

  /** @param {number} index */
  function open(index) {
    const option = list.children[index];
    if (option instanceof HTMLElement && option.dataset.href) location.assign(option.dataset.href);
  }

  box.addEventListener(
    'input',
    debounced(() => void suggest(), pause),
  );
  box.addEventListener('keydown', (event) => {
    const count = list.hidden ? 0 : list.children.length;
    if (event.key === 'Escape' && count > 0) {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault();
      open(active);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0) {
      event.preventDefault();
      // Between the last option and the first one is the box itself.
      const step = event.key === 'ArrowDown' ? 1 : -1;
      mark(((active + 1 + step + count + 1) % (count + 1)) - 1);
    } else if (event.key === 'ArrowDown') {
      searched = '';
      void suggest();
    }
  });
  box.addEventListener('blur', close);
  form.addEventListener('submit', () => {
    searched = box.value.trim();
    close();
  });
}
