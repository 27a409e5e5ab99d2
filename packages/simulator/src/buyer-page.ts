import { createHash } from 'node:crypto';
import type { BuyerPage } from './stub-part.ts';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 28rem; margin: 3rem auto; padding: 0 1rem; }
.note { border: 1px solid; border-radius: .5rem; padding: .5rem 1rem; }
table { width: 100%; border-collapse: collapse; margin: 1.5rem 0; }
th { text-align: start; font-weight: inherit; overflow-wrap: anywhere; }
td { text-align: end; white-space: nowrap; }
tfoot { font-weight: bold; }
form { display: flex; gap: .5rem; flex-wrap: wrap; }
button { font: inherit; padding: .6rem 1.2rem; cursor: pointer; }
`;

/**
 * Headers of the page. Without `form-action`: browsers apply it also to the redirect of a form's answer, which is the shop's own address.
 */
export const buyerPageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** The page on which a buyer pays, declines or goes back. Its forms post to the page's own address. */
export function buyerPageHtml(
  { provider, title, lines, total, isOpen, isDelayed, message }: BuyerPage,
  path: string,
): string {
  const rows = lines
    .map(({ name, amount }) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(amount)}</td></tr>`)
    .join('\n');
  const button = (action: string, label: string) =>
    `<button formaction="${escaped(path)}/${action}">${escaped(label)}</button>`;
  const open = [
    button('pay', `Pay ${total}`),
    ...(isDelayed ? [button('later', 'Pay by bank debit')] : []),
    button('decline', 'Card is declined'),
    button('cancel', 'Cancel'),
  ];
  const underWay = [button('pay', 'The bank pays'), button('decline', 'The bank refuses')];
  const buttons = isOpen ? open : isDelayed ? underWay : [];
  const actions =
    buttons.length > 0
      ? `<form method="post">${buttons.join(' ')}</form>`
      : '<p>Nothing can be paid here any more.</p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(`${provider}, simulated`)}</title>
<style>${style}</style>
</head>
<body>
<p class="note">This page simulates ${escaped(provider)}. No money moves.</p>
<main>
<h1>${escaped(title)}</h1>
${message === null ? '' : `<p role="status">${escaped(message)}</p>`}
<table>
<tbody>
${rows}
</tbody>
<tfoot><tr><th scope="row">Total</th><td>${escaped(total)}</td></tr></tfoot>
</table>
${actions}
</main>
</body>
</html>
`;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}
