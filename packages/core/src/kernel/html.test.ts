import { expect, it } from 'vitest';
import { textOfHtml } from './html.ts';

it.each([
  ['<p>Soft.</p>\n<p>Warm.</p>', 'Soft.\n\nWarm.'],
  ['<p class="p1">Warm, <b>ribbed</b> &amp;\n  soft&nbsp;&#8212; &lt;b&gt;</p>', 'Warm, ribbed & soft — <b>'],
  ['Made of:<ul><li>Wool</li>\n<li><p>Silk</p></li></ul>Wash cold', 'Made of:\n\n- Wool\n- Silk\n\nWash cold'],
  ['<ol><li>One<ul><li>a</li><li>b</li></ul></li><li>Two</li></ol>', '1. One\n  - a\n  - b\n2. Two'],
  ['a<br>b<br/><br />c<br><br><br>d', 'a\nb\n\nc\n\nd'],
  ['<table><tr><th>Size</th><td>M</td></tr><tr><th>Fit</th><td>Slim</td></tr></table>', 'Size M\nFit Slim'],
  ['<script>alert("<p>x</p>")</script><style>p{}</style>Mug<img src=x onerror=alert(1)>', 'Mug'],
  ['Line one\nline two\n\n<b>bold</b> Tea &amp; Co', 'Line one\nline two\n\nbold Tea & Co'],
  ['Tea & Co, 1 < 2 > 0', 'Tea & Co, 1 < 2 > 0'],
  ['plain', 'plain'],
  ['<p> </p>', ''],
  ['', ''],
])('%j says %j', (html, text) => expect(textOfHtml(html)).toBe(text));

it('takes time in proportion to its length', () => {
  for (const part of ['<b>', '<ul><li>', '</x>', '<p', '&amp', '<!--', '<a b="', '&#']) {
    const sizes = [20_000, 320_000].map((count) => {
      const html = part.repeat(count / part.length) + '</i>'.repeat(count / 8);
      const start = performance.now();
      textOfHtml(html);
      return performance.now() - start;
    });
    expect(sizes[1]).toBeLessThan(2000);
  }
});
