import type { Block, Frame, Goods, GoodsRow } from './blocks.ts';
import { webAddress } from './clean.ts';

/** Gmail shows the first 102 kB of a letter, and hides the rest with the imprint in it. */
const maxBytes = 100_000;

/** The HTML of a letter. A long table is shortened, so that mail programs show the whole letter. */
export function printHtml(blocks: readonly Block[], frame: Frame): string {
  const whole = print(blocks, frame, Number.POSITIVE_INFINITY);
  // Room for the line that says how much was left out.
  let over = Buffer.byteLength(whole) - maxBytes;
  if (over <= 0) return whole;
  over += 500;
  const rows = blocks.flatMap((block) => (block.kind === 'goods' ? block.rows : []));
  let kept = rows.length;
  for (const row of rows.toReversed()) {
    if (over <= 0) break;
    over -= Buffer.byteLength(printRow(row));
    kept--;
  }
  return print(blocks, frame, kept);
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const presentation = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
const line = 'border-top:1px solid #e4e2dd';

/** Colours of dark mode. Programs without it show the inline styles. */
const sheet = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '.goods tr>:first-child{padding-inline-start:0!important}.goods tr>:last-child{padding-inline-end:0!important}',
  '@media (max-width:480px){.card{padding:24px 18px!important}.out{padding:0!important}.foot{padding:20px 18px!important}}',
  '@media (prefers-color-scheme:dark){.page{background:#161614!important}.card{background:#232321!important;color:#f0eee9!important}',
  '.soft,.soft a,.foot,.foot a{color:#b3b0a8!important}.goods tr,.line{border-color:#45443f!important}',
  '.card a.link{color:#9cc3ff!important}.note{background:#2e2d2a!important;border-color:#6b6960!important}',
  '.act{background:#f0eee9!important;border-color:#f0eee9!important}.act a{color:#161614!important}',
  '.quiet{border-color:#8d8a82!important}.quiet a{color:#f0eee9!important}}',
].join('');

function print(blocks: readonly Block[], frame: Frame, maxRows: number): string {
  const { language, direction, subject, foot } = frame;
  const footer = [
    foot.lines.map(escaped).join('<br>'),
    ...(foot.text === null ? [] : [withBreaks(linked(foot.text))]),
  ].map((part) => `<p style="margin:0 0 12px">${part}</p>`);
  return `<!doctype html>
<html lang="${escaped(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escaped(subject)}</title>
<style>${sheet}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f2ee">
<table ${presentation} class="page" width="100%" style="background:#f4f2ee"><tr><td class="out" align="center" style="padding:28px 12px">
<table ${presentation} width="100%" style="max-width:600px;table-layout:fixed">
<tr><td class="card" style="padding:32px 36px;background:#ffffff;color:#22211f;${font};font-size:16px;line-height:1.5;overflow-wrap:anywhere;word-break:break-word">
${head(frame)}
${blocks.map((block) => printBlock(block, frame, maxRows)).join('\n')}
</td></tr>
<tr><td class="foot" style="padding:20px 36px;color:#6a675f;${font};font-size:13px;line-height:1.5;overflow-wrap:anywhere;word-break:break-word">
${footer.join('\n')}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

function head({ shopName, logoUrl }: Frame): string {
  const name = escaped(shopName);
  if (logoUrl === null) return `<p style="margin:0 0 24px;font-size:18px;font-weight:700">${name}</p>`;
  const style = 'display:block;max-width:200px;max-height:64px;height:auto;border:0;font-size:18px;font-weight:700';
  return `<p style="margin:0 0 24px"><img src="${escaped(logoUrl)}" alt="${name}" style="${style}"></p>`;
}

function printBlock(block: Block, frame: Frame, maxRows: number): string {
  switch (block.kind) {
    case 'heading':
      return block.level === 1
        ? `<h1 style="margin:0 0 16px;font-size:24px;line-height:1.3">${escaped(block.text)}</h1>`
        : `<h2 class="line" style="margin:32px 0 12px;padding-top:24px;${line};font-size:18px;line-height:1.3">${escaped(block.text)}</h2>`;
    case 'paragraph': {
      const small = block.isSmall ? ' class="soft"' : '';
      const style = block.isSmall ? 'margin:0 0 12px;font-size:14px;color:#6a675f' : 'margin:0 0 16px';
      return `<p${small} style="${style}">${withBreaks(block.isLinked ? linked(block.text) : escaped(block.text))}</p>`;
    }
    case 'note': {
      const side = frame.direction === 'ltr' ? 'left' : 'right';
      const style = `margin:0 0 16px;padding:12px 16px;background:#f7f5f1;border-${side}:3px solid #c9c5bb`;
      return `<blockquote class="note" style="${style}">${withBreaks(block.isLinked ? linked(block.text) : escaped(block.text))}</blockquote>`;
    }
    case 'goods':
      return printGoods(block, frame, maxRows);
    case 'totals':
      return printTotals(block.rows, frame);
    case 'address':
      return `<p style="margin:0 0 16px"><strong>${escaped(block.label)}</strong><br>${block.lines.map(escaped).join('<br>')}</p>`;
    case 'button':
      return printButton(block);
    case 'facts':
      return `<dl style="margin:0 0 16px">${block.rows
        .map(
          ({ label, value }) =>
            `<dt class="soft" style="margin:0;font-size:14px;color:#6a675f">${escaped(label)}</dt>` +
            `<dd style="margin:0 0 10px">${withBreaks(escaped(value))}</dd>`,
        )
        .join('')}</dl>`;
  }
}

function printGoods({ heads, rows, more }: Goods, { direction }: Frame, maxRows: number): string {
  const [start, end] = sidesOf(direction);
  const head = (words: string, align: string) =>
    `<th scope="col" align="${align}" style="font-size:13px;font-weight:600${align === start ? '' : ';white-space:nowrap'}">${escaped(words)}</th>`;
  const left = rows.length - Math.min(rows.length, maxRows);
  const columns = heads.amount === null ? 2 : 3;
  return [
    '<table class="goods" width="100%" cellpadding="6" cellspacing="0" border="0" style="margin:0 0 12px;border-collapse:collapse;font-size:15px;line-height:1.4">',
    `<thead><tr>${head(heads.item, start)}${head(heads.quantity, end)}${heads.amount === null ? '' : head(heads.amount, end)}</tr></thead>`,
    '<tbody>',
    ...rows.slice(0, rows.length - left).map((row) => printRow(row, start, end)),
    ...(left > 0 ? [`<tr style="${line}"><td colspan="${columns}">${escaped(more(left))}</td></tr>`] : []),
    '</tbody></table>',
  ].join('\n');
}

// Every byte here is there for each of an order's lines.
function printRow({ title, details, quantity, amount }: GoodsRow, start = 'left', end = 'right'): string {
  const small = details.map(escaped).join('<br>');
  const under = small === '' ? '' : `<br><small class="soft" style="color:#6a675f">${small}</small>`;
  const cell = `<td align="${end}" nowrap>`;
  return (
    `<tr valign="top" style="${line}"><th scope="row" align="${start}" style="font-weight:400">${escaped(title)}${under}</th>` +
    `${cell}${escaped(quantity)}</td>${amount === null ? '' : `${cell}${escaped(amount)}</td>`}</tr>`
  );
}

function printTotals(rows: Extract<Block, { kind: 'totals' }>['rows'], { direction }: Frame): string {
  const [start, end] = sidesOf(direction);
  const printed = rows.map(({ label, amount, isTotal }) => {
    const style = isTotal ? `${line};font-weight:700;font-size:17px` : 'font-weight:400';
    return (
      `<tr><th scope="row" align="${start}" class="line" style="${style}">${escaped(label)}</th>` +
      `<td align="${end}" class="line" style="${style};white-space:nowrap">${escaped(amount)}</td></tr>`
    );
  });
  return [
    '<table class="goods" width="100%" cellpadding="6" cellspacing="0" border="0" style="margin:0 0 16px;font-size:15px;line-height:1.4">',
    ...printed,
    '</table>',
  ].join('\n');
}

function printButton({ label, url, isQuiet }: Extract<Block, { kind: 'button' }>): string {
  // An address of foreign data is checked here too: nothing else may become a link.
  const address = webAddress(url);
  if (address === null) return '';
  const [name, cell, colour] = isQuiet
    ? ['quiet', 'border:1px solid #8d8a82;border-radius:6px', '#22211f']
    : ['act', 'background:#22211f;border:1px solid #22211f;border-radius:6px', '#ffffff'];
  return (
    `<table ${presentation} style="margin:0 0 20px"><tr><td class="${name}" style="${cell}">` +
    `<a href="${escaped(address)}" style="display:inline-block;padding:11px 20px;color:${colour};font-weight:600;text-decoration:none">${escaped(label)}</a>` +
    '</td></tr></table>'
  );
}

function sidesOf(direction: Frame['direction']): ['left', 'right'] | ['right', 'left'] {
  return direction === 'ltr' ? ['left', 'right'] : ['right', 'left'];
}

const replacements: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as HTML that shows it unchanged. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => replacements[char] ?? '');
}

function withBreaks(html: string): string {
  return html.replaceAll('\n', '<br>\n');
}

/** Escapes a text and makes links of the addresses in it. */
function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/i)
    .map((part, index) => {
      if (index % 2 === 0) return escaped(part);
      // The end of a sentence is not the end of an address.
      let end = part.length;
      while (end > 0 && '.,;:!?)]}\'"'.includes(part.charAt(end - 1))) end--;
      const address = webAddress(part.slice(0, end));
      if (address === null) return escaped(part);
      return `<a class="link" href="${escaped(address)}" style="color:#1a56a8">${escaped(part.slice(0, end))}</a>${escaped(part.slice(end))}`;
    })
    .join('');
}
