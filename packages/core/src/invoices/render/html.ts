import { escaped } from '../../mail/letters/html.ts';
import type { InvoicePage, PageRow } from './page.ts';

/** The invoice as a page that a browser shows and prints. It has no scripts, and loads nothing. */
export function printInvoiceHtml(page: InvoicePage): string {
  const { language, direction, title, heading, seller, buyer, facts, intro, table, sums, taxes, notes } = page;
  const [item, ...numbers] = table.heads;
  const rows = (all: readonly string[]) =>
    all.map((one) => `<p>${escaped(one).replaceAll('\n', '<br>')}</p>`).join('\n');
  return `<!doctype html>
<html lang="${escaped(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escaped(title)}</title>
<style>${sheet}</style>
</head>
<body>
<header>
<address><strong>${escaped(seller.name)}</strong><br>${lines(seller.lines)}</address>
</header>
<main>
<div class="sides">
<section aria-label="${escaped(buyer.label)}"><h2>${escaped(buyer.label)}</h2><address>${lines(buyer.lines)}</address></section>
<dl>${facts.map(({ label, value }) => `<div><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd></div>`).join('')}</dl>
</div>
<h1>${escaped(heading)}</h1>
${rows(intro)}
<table class="goods">
<thead><tr><th scope="col">${escaped(item)}</th>${numbers.map((head) => `<th scope="col" class="n">${escaped(head)}</th>`).join('')}</tr></thead>
<tbody>
${table.rows.map(printRow).join('\n')}
</tbody>
</table>
<table class="sums">
<tbody>
${sums.map(({ label, value, isTotal }) => `<tr${isTotal ? ' class="total"' : ''}><th scope="row">${escaped(label)}</th><td class="n">${escaped(value)}</td></tr>`).join('\n')}
</tbody>
</table>
${taxes === null ? '' : printTaxes(taxes)}
<div class="notes">${rows(notes)}</div>
</main>
</body>
</html>
`;
}

function lines(all: readonly string[]): string {
  return all.map(escaped).join('<br>');
}

function printRow({ title, details, quantity, netUnitPrice, taxRate, amount }: PageRow): string {
  const below = details.map((detail) => `<small>${escaped(detail)}</small>`).join('');
  const cells = [quantity, netUnitPrice, taxRate, amount].map((cell) => `<td class="n">${escaped(cell)}</td>`).join('');
  return `<tr><td>${escaped(title)}${below}</td>${cells}</tr>`;
}

function printTaxes({ heads: [first, ...others], rows }: NonNullable<InvoicePage['taxes']>): string {
  return `<table class="taxes">
<thead><tr><th scope="col">${escaped(first)}</th>${others.map((head) => `<th scope="col" class="n">${escaped(head)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(([name, ...amounts]) => `<tr><th scope="row">${escaped(name)}</th>${amounts.map((amount) => `<td class="n">${escaped(amount)}</td>`).join('')}</tr>`).join('\n')}
</tbody>
</table>`;
}

const sheet = [
  '@page{size:A4;margin:18mm}',
  "body{margin:2rem auto;max-width:46rem;padding:0 1rem;font:14px/1.5 'Noto Sans',system-ui,Helvetica,Arial,sans-serif;color:#1d1d1b;overflow-wrap:anywhere}",
  'address{font-style:normal}header{text-align:end;margin-bottom:2rem}h1{font-size:1.6rem;margin:2rem 0 .5rem}h2{font-size:.8rem;margin:0;color:#5c5a55;font-weight:400}',
  '.sides{display:flex;flex-wrap:wrap;gap:2rem;justify-content:space-between}dl{margin:0}dl div{display:flex;gap:1.5rem;justify-content:space-between}dt{color:#5c5a55}dd{margin:0;text-align:end}',
  'table{width:100%;border-collapse:collapse;margin:1.5rem 0}th,td{padding:.4rem .5rem;vertical-align:top;text-align:start;font-weight:400}th:first-child,td:first-child{padding-inline-start:0}th:last-child,td:last-child{padding-inline-end:0}',
  'thead th{font-weight:600;border-bottom:1px solid #1d1d1b}.goods tbody tr,.taxes tbody tr{border-bottom:1px solid #dcd9d2}tr{break-inside:avoid}small{display:block;color:#5c5a55}.n{text-align:end;overflow-wrap:normal;white-space:nowrap}thead .n{white-space:normal}',
  '.sums{width:auto;min-width:50%;margin-inline-start:auto}.total th,.total td{font-weight:700;font-size:1.1rem;border-top:2px solid #1d1d1b}.taxes{font-size:.9rem}',
  '@media print{body{margin:0;max-width:none;padding:0}}',
].join('');
