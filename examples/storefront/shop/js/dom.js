/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Creates an element. Texts become text nodes and values attributes, so whatever a shop or a buyer wrote is shown as typed; nothing here
 * parses HTML. @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>} [attributes] a function is a listener,
 * as `onclick`
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  append(element, children.flat());
  return element;
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function append(element, children) {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(typeof child === 'object' ? child : String(child));
    }
  }
}

/**
 * Replaces the content of an element with these children.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children.flat());
}

/**
 * An element that every page has.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * Runs only the last of several calls, after a pause.
 * @param {() => void} work
 * @param {number} ms
 */
export function debounced(work, ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
}
