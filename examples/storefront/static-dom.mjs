// As much of a browser's document as the views of the shop need to be written as HTML. They only create elements, never read HTML.

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** @param {string} text */
const escaped = (text) =>
  text
    // Characters that HTML cannot contain.
    .replace(/\p{Cc}/gu, (character) => ('\n\r\t'.includes(character) ? character : ''))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

class Element {
  /** @type {(Element | string)[]} */
  childNodes = [];
  /** @type {Map<string, string>} */
  attributes = new Map();
  /** Styles of scripts: the policy of the page allows none in HTML. */
  style = {};
  classList = { toggle() {} };
  /** @type {Element | undefined} */
  parent;

  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
  }

  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    if (!/^[a-z][a-z0-9:-]*$/i.test(name)) throw new Error(`no attribute of a page: ${JSON.stringify(name)}`);
    this.attributes.set(name, value);
  }

  /** @param {string} name */
  removeAttribute(name) {
    this.attributes.delete(name);
  }

  addEventListener() {}

  get hidden() {
    return this.attributes.has('hidden');
  }
  set hidden(value) {
    if (value) this.attributes.set('hidden', '');
    else this.attributes.delete('hidden');
  }

  get children() {
    return this.childNodes.filter((node) => node instanceof Element);
  }

  /** @param {...(Element | string)} nodes */
  append(...nodes) {
    for (const node of nodes) {
      if (node instanceof Element) node.parent = this;
      this.childNodes.push(node);
    }
  }

  /** @param {...(Element | string)} nodes */
  replaceChildren(...nodes) {
    this.childNodes = [];
    this.append(...nodes);
  }

  remove() {
    if (this.parent) this.parent.childNodes = this.parent.childNodes.filter((node) => node !== this);
  }

  /** @param {(element: Element) => boolean} wanted @returns {Generator<Element>} */
  *all(wanted) {
    for (const child of this.children) {
      if (wanted(child)) yield child;
      yield* child.all(wanted);
    }
  }

  /** @param {string} selector `[name]`, the only one that the views use */
  querySelectorAll(selector) {
    const name = selector.slice(1, -1);
    return [...this.all(({ attributes }) => attributes.has(name))];
  }

  /** @returns {string} */
  get outerHTML() {
    const attributes = [...this.attributes].map(([name, value]) =>
      value === '' ? ` ${name}` : ` ${name}="${escaped(value)}"`,
    );
    const start = `<${this.tag}${attributes.join('')}>`;
    if (voids.has(this.tag)) return start;
    // Scripts hold structured data alone, whose text has no bracket. It is written as it is, because it is no HTML.
    const isRaw = this.tag === 'script';
    const content = this.childNodes.map((node) => {
      if (node instanceof Element) return node.outerHTML;
      if (isRaw && /[<>]/.test(node)) throw new Error('a script must contain no bracket');
      return isRaw ? node : escaped(node);
    });
    return `${start}${content.join('')}</${this.tag}>`;
  }
}

/** A page of the shop, from its own well-formed HTML. */
export class Page {
  #root = new Element('root');

  /** @param {string} html */
  constructor(html) {
    /** @type {Element[]} */
    const open = [this.#root];
    for (const [whole, slash, tag, attributes = ''] of html.matchAll(
      /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>|<!doctype html>|[^<]+/g,
    )) {
      if (tag === undefined) {
        if (!whole.startsWith('<')) open.at(-1)?.append(whole);
      } else if (slash) open.pop();
      else {
        const element = new Element(tag);
        for (const [, name = '', value = ''] of attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)) {
          element.setAttribute(name, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
        }
        open.at(-1)?.append(element);
        if (!voids.has(tag)) open.push(element);
      }
    }
    this.head = this.#first('head');
    this.body = this.#first('body');
    this.documentElement = this.#first('html');
  }

  /** @param {string} tag */
  #first(tag) {
    const [found] = this.#root.all((element) => element.tag === tag);
    if (!found) throw new Error(`the page has no <${tag}>`);
    return found;
  }

  set title(/** @type {string} */ text) {
    this.#first('title').replaceChildren(text);
  }

  /** @param {string} tag */
  createElement(tag) {
    return new Element(tag);
  }

  /** @param {string} id */
  getElementById(id) {
    const [found] = this.#root.all(({ attributes }) => attributes.get('id') === id);
    return found ?? null;
  }

  get html() {
    return `<!doctype html>\n${this.documentElement.outerHTML}\n`;
  }
}
