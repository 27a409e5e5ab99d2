/* Searches the sections of search-index.js, which comes before: all words have to be in a section, a heading counts most. */
/* global sections */
(() => {
  const root = document.documentElement.dataset.root;
  const [field, place] = ['search', 'found'].map((id) => document.getElementById(id));
  const shown = 12;
  const around = 90;

  function find(words) {
    const scored = [];
    for (const [address, page, heading, text] of sections) {
      const [title, head, body] = [page, heading, text].map((one) => one.toLowerCase());
      let score = 0;
      for (const word of words) {
        const points = (head.includes(word) ? 10 : 0) + (title.includes(word) ? 4 : 0) + (body.includes(word) ? 1 : 0);
        score = points === 0 ? Number.NEGATIVE_INFINITY : score + points;
      }
      if (score > 0) scored.push({ score, address, page, heading, text });
    }
    return scored.sort((one, other) => other.score - one.score).slice(0, shown);
  }

  function excerptOf(text, word) {
    const at = Math.max(0, text.toLowerCase().indexOf(word) - around);
    return `${at > 0 ? '… ' : ''}${text.slice(at, at + 2 * around)}${at + 2 * around < text.length ? ' …' : ''}`;
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    place.hidden = words.length === 0;
    const results = words.length === 0 ? [] : find(words);
    const items = results.map(({ address, page, heading, text }) => {
      const link = document.createElement('a');
      link.href = root + address;
      link.textContent = heading === page ? page : `${page}: ${heading}`;
      const excerpt = document.createElement('p');
      excerpt.textContent = excerptOf(text, words[0]);
      const item = document.createElement('li');
      item.append(link, excerpt);
      return item;
    });
    const list = document.createElement('ol');
    list.append(...items);
    place.replaceChildren(items.length === 0 ? 'Nothing has all of these words.' : list);
  }

  field.addEventListener('input', show);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !/^(?:INPUT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      field.focus();
    } else if (event.key === 'Escape') {
      field.value = '';
      show();
    }
  });
  // On a phone the list of chapters would come before every text.
  if (matchMedia('(max-width: 50rem)').matches) document.querySelector('nav details').open = false;
})();
