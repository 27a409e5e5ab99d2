import { Tokenizer } from 'htmlparser2';

/** Elements on lines of their own, with an empty line around them. */
const blocks = new Set(
  'address article aside blockquote dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);

/** Elements that begin a line. */
const lines = new Set(['li', 'tr', 'caption', 'option', 'summary']);

/** Elements whose content is not text. */
const hidden = new Set(['script', 'style', 'title', 'template', 'noscript', 'iframe', 'object', 'svg', 'textarea']);

/** Maximum depth of nested lists with numbered entries. */
const maxLists = 20;

/**
 * The text of a piece of HTML: paragraphs with empty lines between them, and list entries as lines that begin with `-` or their number. A
 * text without such elements keeps its own lines. Takes time in proportion to its length, whatever it contains.
 */
export function textOfHtml(html: string): string {
  const hasBlocks = /<(?:p|div|br|li|h[1-6]|tr)[\s/>]/i.test(html);
  let text = '';
  /** Line ends that the next word needs before it. */
  let ends = 0;
  let isSpaced = false;
  let start = '';
  let closing: string | undefined;
  /** The number of the next entry of each open list, 0 for lists without numbers. */
  const lists: number[] = [];
  const need = (count: number) => {
    ends = Math.max(ends, count);
    isSpaced = false;
  };
  const add = (words: string) => {
    if (closing !== undefined) return;
    for (const part of words.split(hasBlocks ? /([\s\u200b]+)/ : /([^\S\n]+|\n)/)) {
      if (part === '') continue;
      if (part === '\n' && !hasBlocks) need(ends + 1);
      else if (part.trim() === '') isSpaced = true;
      else {
        if (text !== '' && ends > 0) text += '\n'.repeat(Math.min(ends, 2));
        else if (text !== '' && isSpaced && start === '') text += ' ';
        text += start + part;
        [ends, isSpaced, start] = [0, false, ''];
      }
    }
  };
  const open = (name: string) => {
    if (closing !== undefined) return;
    if (hidden.has(name)) closing = name;
    else if (name === 'br') need(Math.min(ends + 1, 2));
    else if (name === 'ul' || name === 'ol') {
      need(lists.length > 0 ? 1 : 2);
      if (lists.length < maxLists) lists.push(name === 'ol' ? 1 : 0);
    } else if (name === 'li') {
      need(1);
      const number = lists.at(-1) ?? 0;
      start = `${'  '.repeat(Math.max(0, lists.length - 1))}${number > 0 ? `${number}.` : '-'} `;
      if (number > 0) lists[lists.length - 1] = number + 1;
    } else if (name === 'td' || name === 'th') isSpaced = true;
    // The first paragraph of a list entry continues after its sign.
    else if (start === '' && blocks.has(name)) need(2);
    else if (lines.has(name)) need(1);
  };
  const close = (name: string) => {
    if (closing !== undefined) {
      if (closing === name) closing = undefined;
      return;
    }
    if (name === 'ul' || name === 'ol') {
      lists.pop();
      need(lists.length > 0 ? 1 : 2);
      start = '';
    } else if (name === 'li') {
      need(1);
      start = '';
    } else if (blocks.has(name)) need(lists.length > 0 ? 1 : 2);
    else if (lines.has(name)) need(1);
  };
  let last = '';
  const nothing = () => {};
  // The full parser searches all open elements at each closing tag.
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (from, to) => add(html.slice(from, to)),
      ontextentity: (code) => add(String.fromCodePoint(code)),
      onopentagname: (from, to) => {
        last = html.slice(from, to).toLowerCase();
        open(last);
      },
      onselfclosingtag: () => close(last),
      onclosetag: (from, to) => close(html.slice(from, to).toLowerCase()),
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return text;
}
