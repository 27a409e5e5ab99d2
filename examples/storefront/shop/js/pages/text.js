import { listPages, Refused } from '../api.js';
import { formatOf, formatted } from '../description.js';
import { byId, fill } from '../dom.js';
import { showFailure, showShell } from '../shell.js';
import { setTextHead, textView } from '../text.js';
import { named } from '../urls.js';

/** A text of the shop, such as an imprint, in Markdown or HTML. */
async function start() {
  const { slug } = named('page');
  const [page] = slug ? (await listPages({ slug })).items : [];
  if (!page) throw new Refused(404, { code: 'NOT_FOUND', message: '' });
  const [text] = await Promise.all([
    formatted(page.content, formatOf(page.content, 'markdown'), { breaks: true }),
    setTextHead(page),
  ]);
  fill(byId('main'), textView(page, text));
}

void showShell();
await start().catch(showFailure);
