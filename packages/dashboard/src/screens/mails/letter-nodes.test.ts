import { expect, it } from 'vitest';
import { withHeldStyles } from './letter-nodes.ts';

it('styles of a mail are held back in tags, and nowhere else', () => {
  const html =
    '<head><style>\n.a { color: red }\n</style></head><p class="a" style="margin:0">my style=x</p>\n<td\nSTYLE="b">&lt;p style=c&gt;</td>';
  expect(withHeldStyles(html)).toBe(
    '<head></head><p class="a" data-style="margin:0">my style=x</p>\n<td data-style="b">&lt;p style=c&gt;</td>',
  );
});
