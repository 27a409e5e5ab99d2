import { describe, expect, it } from 'vitest';
import { type MailKind, mailKinds } from '../../engine/mail-kinds.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { sampleData } from './sample.ts';
import { checkTemplate, templateVariables, writeFromTemplate } from './template.ts';
import { languages } from './words/languages.ts';

const subject = 'Order {{ order.number }}';

/** What is wrong with a text, by its check. */
function refusal(text: string, kind: MailKind = 'order.confirmed', field: 'subject' | 'text' = 'text'): string {
  try {
    checkTemplate(kind, { subject: 'Mail', text: 'Text', [field]: text });
  } catch (error) {
    if (!(error instanceof CommerceError)) throw error;
    expect(error.kind).toBe('validation');
    expect(error.details).toMatchObject([{ field }]);
    return error.message;
  }
  return '';
}

const write = (text: string, kind: MailKind = 'order.confirmed', locale = 'en') =>
  writeFromTemplate({ subject: 'Mail', text }, sampleData(kind, locale));

/** The letter without its foot. */
const body = ({ text }: { text: string }) => text.slice(0, text.indexOf('\n\n--------------------'));

describe.each(mailKinds)('%s', (kind) => {
  const names = templateVariables(kind).map(({ name }) => name);

  it('can name all of its variables, and those of no other kind', async () => {
    const text = names.map((name) => `${name} = {{ ${name} }}`).join('\n\n');
    expect(refusal(text, kind)).toBe('');
    for (const language of languages) {
      const letter = await writeFromTemplate({ subject: '{{ shop.name }}', text }, sampleData(kind, language));
      const whole = letter.text + letter.html.slice(letter.html.indexOf('<body'));
      expect(whole).not.toMatch(/\bundefined|\bnull\b|NaN|\[object|[\ufdd0-\ufdef]/);
    }
    for (const other of mailKinds.flatMap((one) => templateVariables(one)).map(({ name }) => name)) {
      expect(refusal(`{{ ${other} }}`, kind) === '').toBe(names.includes(other));
    }
  });

  it('describes them, with the values of the sample', async () => {
    for (const { name, description, example } of templateVariables(kind)) {
      expect(description).toMatch(/^[A-Z].*\.$/);
      if (['lines', 'totals', 'address'].includes(name)) continue;
      expect(body(await write(`<{{ ${name} }}>`, kind))).toBe(`<${example}>`);
    }
  });
});

describe('a text', () => {
  it('is filled in, with amounts as the language writes them', async () => {
    const { text, subject: title } = await writeFromTemplate(
      {
        subject: '{{ order.number }}:\n{{ order.total }}',
        text: 'Hallo {{ buyer.name }},\n\nam {{ order.date }}: {{ order.total }}',
      },
      sampleData('order.confirmed', 'de'),
    );
    expect(title).toBe('ORD-1001: 39,10 €');
    expect(text).toContain(
      'Hallo Ada Lovelace,\n\nam 25. November 2026: 39,10\u00a0€\n\n--------------------\nMorning Cups GmbH',
    );
  });

  it('has blocks in both forms', async () => {
    const { text, html } = await write('Goods: {{ lines }}\n\n{{ totals }}\nTo:\n{{ address }}\nBye');
    expect(text).toContain('Goods:\n\n2 × Espresso cup Aurora: €29.00\n');
    expect(text).toContain('Total: €39.10\n');
    expect(text).toContain('To:\n\nDelivery address:\nAda Lovelace\n');
    expect(text).toContain('10178 Berlin\n\nBye\n');
    expect(html).toContain('<th scope="row"');
    expect(html).toContain('>€39.10</td>');
    expect(html).toContain('<strong>Delivery address</strong>');
  });

  it('names the goods of the parcel, of the withdrawal, and those that run low', async () => {
    expect(body(await write('{{ lines }}', 'order.shipped'))).toBe('2 × Espresso cup Aurora\n    80 ml');
    expect(body(await write('{{ lines }}', 'withdrawal.received'))).toBe('1 × Espresso cup Aurora');
    expect(body(await write('{{ lines }}', 'owner.low_stock'))).toContain('Espresso cup Aurora · SKU CUP-AU-80: 3');
  });

  it('becomes paragraphs, lines and links in HTML, and everything is escaped', async () => {
    const { html } = await write(
      'One <b>"bold"</b>\ntwo\n\n\n\nthree & https://x.example/a?b=1&c=<2>. javascript:alert(1) (http://y.example/)',
    );
    expect(html).toContain('>One &lt;b&gt;&quot;bold&quot;&lt;/b&gt;<br>\ntwo</p>\n<p');
    expect(html).toContain('<a class="link" href="https://x.example/a?b=1&amp;c="');
    expect(html).toContain('href="http://y.example/"');
    expect(html.match(/<a /g)).toHaveLength(2);
    const hostile = {
      ...sampleData('order.confirmed', 'en'),
      buyer: { name: '<img src=x onerror=a>{{ order.total }}', email: null },
    };
    const letter = await writeFromTemplate({ subject, text: 'Hi {{ buyer.name }}{{ buyer.email }}!' }, hostile);
    expect(letter.html).toContain('Hi &lt;img src=x onerror=a&gt;{{ order.total }}!');
    expect(letter.text).toContain('Hi <img src=x onerror=a>{{ order.total }}!');
  });

  it('has conditions, assignments, and filters of texts', async () => {
    const text = [
      '{% if order.is_paid %}paid{% else %}open{% endif %}',
      '{% if order.instructions %}pay{% elsif order.total contains "39" %}39{% endif %}',
      '{% unless order.instructions %}nothing to do{% endunless %}',
      '{% case order.payment_method %}{% when "PayPal", "Card" %}online{% else %}other{% endcase %}',
      '{% assign first = buyer.name | replace: " Lovelace", "" | upcase %}{{ first | append: "!" | prepend: "¡" }}',
      '{{ order.instructions | default: "none" }} {{ "abcdef" | truncate: 4, "…" }} {% comment %}x{% endcomment %}{% raw %}{{ y }}{% endraw %}',
      "{{ ' a ' | strip | capitalize }}{{ 'xAx' | remove: 'x' | downcase }}",
    ].join('|');
    expect(refusal(text)).toBe('');
    expect(body(await write(text))).toBe('paid|39|nothing to do|online|¡ADA!|none abc… {{ y }}|Aa');
  });

  it('can use what only one branch assigns', async () => {
    const text = '{% if order.instructions %}{% assign how = "so" %}{% endif %}[{{ how }}]';
    expect(body(await write(text))).toBe('[]');
    expect(body(await write(text, 'order.payment_waiting'))).toBe('[so]');
  });

  it('that is empty when it is filled in has no subject', async () => {
    const empty = writeFromTemplate(
      { subject: '{{ order.instructions }}', text: 'x' },
      sampleData('order.confirmed', 'en'),
    );
    await expect(empty).rejects.toThrow('subject: is empty');
  });
});

describe('a mistake is named with its place', () => {
  it.each([
    ['Hello\n  {{ order.nmber }}', 'text: line 2, column 6: there is no "order.nmber"; known are shop.name,'],
    ['{{ nme }}', 'line 1, column 4: there is no "nme"'],
    ['{% if order.is_payd %}x{% endif %}', 'line 1, column 7: there is no "order.is_payd"'],
    ['{% if true %}\n{% if false %}{% else %}{{ a }}{% endif %}{% endif %}', 'line 2, column 28: there is no "a"'],
    ['{{ order.total | append: x }}', 'line 1, column 26: there is no "x"'],
    ['{% case 1 %}{% when y %}{% endcase %}', 'line 1, column 21: there is no "y"'],
    ['{{ x }}{% assign x = 1 %}', 'line 1, column 4: there is no "x"'],
    ['{{ order }}', 'line 1, column 4: there is no "order"'],
    ['{{ order.total', 'line 1, column 1: output "{{ order.total" not closed'],
    ['{% if order.total %}', 'line 1, column 1: tag {% if order.total %} not closed'],
    ['{{ order.total | shout }}', 'line 1, column 1: undefined filter: shout'],
    ['{% assign order = 1 %}', 'line 1, column 11: "order" is a name of the shop\'s facts'],
    ['{{ lines }} {{ lines }}', 'text: can have {{ lines }} only once'],
    ['{% if (1..3) contains 2 %}x{% endif %}', 'line 1, column 7: ranges are not available'],
    [`{{ "${'x'.repeat(6000)}" | append: "${'y'.repeat(6000)}" }}`, 'line 1, column 1: a value has more than 10000'],
    ['\ufdd0{{ lines }}', ''],
  ])('%j', (text, message) => {
    expect(refusal(text).startsWith('text: ') || message === '').toBe(true);
    expect(refusal(text)).toContain(message);
    if (message === '') expect(refusal(text)).toBe('');
  });

  it('in the subject, where blocks cannot be', () => {
    expect(refusal('{{ order.nr }}', 'order.confirmed', 'subject')).toContain('subject: line 1, column 4: there is no');
    expect(refusal('{{ lines }}', 'order.confirmed', 'subject')).toContain('there is no "lines"');
  });
});

describe('an attack', () => {
  const nested = (levels: number) => `${'{% if true %}'.repeat(levels)}x${'{% endif %}'.repeat(levels)}`;
  const attacks: Record<string, string> = {
    'a loop': '{% for i in (1..1000000000) %}x{% endfor %}',
    'a table': '{% tablerow i in (1..1000000000) %}x{% endtablerow %}',
    'a range': '{% assign x = (1..1000000000) %}',
    // liquidjs would fill it for ever: 2^53 + 1 is 2^53.
    'a range of numbers that cannot be counted': '{% if (9007199254740992..9007199254740993) contains 1 %}x{% endif %}',
    'doubling by assignments': `{% assign a = "0123456789" %}${'{% assign a = a | append: a %}'.repeat(60)}`,
    'doubling by capturing': `{% capture a %}x{% endcapture %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(40)}`,
    'growing by replacing': `{{ "${'a'.repeat(20_000)}" | replace: "a", "${'b'.repeat(9000)}" }}`,
    'thousands of filters': `{{ "${'a'.repeat(9000)}" ${'| upcase '.repeat(4000)} }}`,
    'a huge output': `{% assign a = "${'x'.repeat(9000)}" %}${'{{ a }}'.repeat(4000)}`,
    'a million characters': 'x'.repeat(1_000_000),
    'thousands of searches': `{% assign a = "${'a'.repeat(9000)}" %}{% if 1 == 2 ${'or a contains "aaaab" '.repeat(1500)} %}x{% endif %}`,
    'deep nesting': nested(2000),
    'nesting that is never closed': '{% if true %}'.repeat(3800),
    brackets: `{{ ${'['.repeat(49_000)} }}`,
    'an include': '{% include "/etc/passwd" %}',
    'a rendered file': '{% render "/etc/passwd" %}',
    'a layout': '{% layout "/etc/passwd" %}',
    'a block of a layout': '{% block a %}x{% endblock %}',
    'an inline comment of line ends': `{% # ${'\n'.repeat(49_000)} %}`,
    'the constructor': '{{ order.constructor }}',
    'the constructor of a text': '{{ "x".constructor.constructor }}',
    'the constructor by a text': '{{ order["constructor"] }}',
    'the prototype': '{{ order.__proto__ }}',
    'the prototype of all': '{{ __proto__.toString }}',
    'the constructor of all': '{{ constructor }}',
    'a name that is made': '{% assign c = "constructor" %}{{ order[c] }}',
    'a function': '{{ order.number.toString }}',
    'the process': '{{ process.env }}',
    'the global object': '{{ globalThis.process }}',
    'a filter of the prototype': '{{ order.number | constructor }}',
    'a filter for arrays': '{{ order.number | split: "" | map: "constructor" }}',
    'a tag of the prototype': '{% constructor %}',
  };

  it.each(Object.entries(attacks))('%s is refused, and ends soon', async (_, text) => {
    const started = performance.now();
    expect(refusal(text)).not.toBe('');
    await expect(write(text)).rejects.toThrow(CommerceError);
    // Each was done in less than half a second, twice, on a quiet machine.
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it.each([
    ['outputs', '{{order.total}}'.repeat(3300)],
    ['conditions', '{% if order.total %}x{% endif %}'.repeat(1500)],
    ['cases', `{% case order.total %}${'{% when "a", 2, 3 %}'.repeat(2400)}{% endcase %}`],
    ['negations', `{% if ${'not '.repeat(12_000)} true %}x{% endif %}`],
    ['brackets in the text', '[{'.repeat(24_000)],
    ['line ends', `a${'\n'.repeat(49_000)}b`],
    ['addresses', 'https://a.b/c. '.repeat(3300)],
    ['letters of addresses', 'http'.repeat(12_000)],
  ])('thousands of %s are done in no time', async (_, text) => {
    const started = performance.now();
    await write(text);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('a nesting that people write is rendered', async () => {
    expect(body(await write(nested(15)))).toBe('x');
    expect(refusal(nested(30))).toContain('nested too deeply');
  });

  it('an assignment cannot reach prototypes', async () => {
    await write('{% assign __proto__ = "x" %}{% assign constructor = "y" %}ok').catch(() => undefined);
    expect(Object.prototype).not.toHaveProperty('x');
    expect({}.constructor).toBe(Object);
  });
});
