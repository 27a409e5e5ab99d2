import { describe, expect, it } from 'vitest';
import { bold, type Edit, heading, italic, link, list, picture, type Selected } from './edits.ts';

/** A selection written as `a [b] c`. */
function selected(text: string): Selected {
  const start = text.indexOf('[');
  return { text: text.replace('[', '').replace(']', ''), start, end: text.indexOf(']') - 1 };
}

/** The text after an edit, with its selection. */
function after({ text }: Selected, { from, to, insert, start, end }: Edit): string {
  const next = text.slice(0, from) + insert + text.slice(to);
  return `${next.slice(0, start)}[${next.slice(start, end)}]${next.slice(end)}`;
}

const edited = (edit: (at: Selected) => Edit, text: string) => after(selected(text), edit(selected(text)));

describe('an edit of Markdown', () => {
  it('puts marks around the selection, and takes them off again', () => {
    expect(edited((at) => bold(at, 'markdown'), 'a [b] c')).toBe('a **[b]** c');
    expect(edited((at) => bold(at, 'markdown'), 'a **[b]** c')).toBe('a [b] c');
    expect(edited((at) => italic(at, 'markdown'), 'a [b] c')).toBe('a *[b]* c');
    // The star of bold text is not one of italic text.
    expect(edited((at) => italic(at, 'markdown'), 'a **[b]** c')).toBe('a ***[b]*** c');
    expect(edited((at) => bold(at, 'markdown'), '[]')).toBe('**[]**');
  });

  it('makes headings and lists of whole lines, and lines of them again', () => {
    expect(edited((at) => heading(at, 'markdown'), 'a\nb[]c\nd')).toBe('a\n[## bc]\nd');
    expect(edited((at) => heading(at, 'markdown'), 'a\n## b[]c\nd')).toBe('a\n[bc]\nd');
    expect(edited((at) => list(at, 'markdown'), 'a[\nb\n]c')).toBe('[- a\n- b]\nc');
    expect(edited((at) => list(at, 'markdown'), '- a[\n- b]')).toBe('[a\nb]');
    expect(edited((at) => list(at, 'markdown'), '[]')).toBe('[- ]');
  });

  it('makes a link of the selection, and selects the address to be typed', () => {
    expect(edited((at) => link(at, 'markdown', 'text'), 'a [b] c')).toBe('a [b]([https://]) c'.replace('[b]', '[b]'));
    expect(edited((at) => link(at, 'markdown', 'text'), '[]')).toBe('[text]([https://])');
    expect(edited((at) => picture(at, 'markdown', '/m/1.png', 'A [cup]'), 'x[]')).toBe('x![A cup](/m/1.png)[]');
  });
});

describe('an edit of HTML', () => {
  it('writes tags', () => {
    expect(edited((at) => bold(at, 'html'), 'a [b] c')).toBe('a <strong>[b]</strong> c');
    expect(edited((at) => bold(at, 'html'), 'a <strong>[b]</strong> c')).toBe('a [b] c');
    expect(edited((at) => heading(at, 'html'), 'a\n[b]')).toBe('a\n[<h2>b</h2>]');
    expect(edited((at) => heading(at, 'html'), '<h2>[b]</h2>')).toBe('[b]');
    expect(edited((at) => list(at, 'html'), '[a\nb]')).toBe('[<ul>\n<li>a</li>\n<li>b</li>\n</ul>]');
    expect(edited((at) => link(at, 'html', 'text'), 'a [b]')).toBe('a <a href="[https://]">b</a>');
    expect(edited((at) => picture(at, 'html', '/m/1.png', 'A "cup"'), '[]')).toBe(
      '<img src="/m/1.png" alt="A &quot;cup&quot;">[]',
    );
  });
});
