import { createWithdrawal, getOrderByToken, Refused } from '../api.js';
import { entered, form, labelled } from '../checkout/form.js';
import { missing, showProblems } from '../checkout/problems.js';
import { byId, fill, h } from '../dom.js';
import { setTitle } from '../head.js';
import { showFailure, showShell, wordsFor } from '../shell.js';
import { moment } from '../when.js';

/** @typedef {import('../api.js').BuyersOrder} Order */
/** @typedef {import('../api.js').WithdrawalInput} Input */

/** The token of the order's page, if the buyer comes from there. It is behind the `#`, so that it is in no request for a page. */
const token = location.hash.slice(1);

/** The order of the token. @type {Order | undefined} */
let order;

/** What was entered in the first step. @type {Record<string, string>} */
let draft = {};

async function start() {
  order = token === '' ? undefined : await getOrderByToken(token).catch(orderless);
  const address = order?.shippingAddress ?? order?.billingAddress;
  const name = [address?.firstName, address?.lastName].filter(Boolean).join(' ');
  draft = { name, orderNumber: order?.orderNumber ?? '' };
  showForm();
}

/** A link that has ended must not keep a buyer from withdrawing. @param {unknown} error */
function orderless(error) {
  if (error instanceof Refused && error.status === 404) return undefined;
  throw error;
}

/** The first step: who withdraws from what. A reason is not asked for. */
function showForm() {
  const field = (/** @type {string} */ name, /** @type {string} */ label, /** @type {object} */ attributes) =>
    labelled(name, label, { value: draft[name], class: 'wide', ...attributes });
  const heading = h('h1', { tabindex: -1 }, 'Withdraw from a contract');
  fill(
    byId('main'),
    h(
      'div',
      { class: 'narrow' },
      heading,
      h(
        'p',
        {},
        'Tell us which order you withdraw from. You need not give a reason. The next step shows what you send.',
      ),
      h('div', { class: 'problem', id: 'problem', tabindex: -1, hidden: true }),
      h(
        'form',
        {
          id: 'form',
          novalidate: true,
          onsubmit: (event) => {
            event.preventDefault();
            const problems = missing();
            showProblems(problems);
            if (problems.length > 0) return;
            draft = Object.fromEntries([...new FormData(form())].map(([key]) => [key, entered(key)]));
            showSummary();
          },
        },
        field('name', 'Name', { autocomplete: 'name', required: true, maxlength: 100 }),
        field('email', order ? 'E-mail, if another than that of the order' : 'E-mail', {
          type: 'email',
          autocomplete: 'email',
          required: order === undefined,
          maxlength: 320,
        }),
        field('orderNumber', 'Order number', { required: true, maxlength: 64, readonly: order !== undefined }),
        order && goodsFields(order),
        h(
          'div',
          { class: 'field' },
          h(
            'label',
            { for: 'note' },
            order ? 'Anything else' : 'Goods, if it is not the whole order, and anything else',
            h('span', { class: 'note' }, ' (optional)'),
          ),
          h('textarea', { id: 'note', name: 'note', rows: 4, maxlength: 1000, class: 'wide' }, draft.note),
        ),
        h('p', {}, h('button', { class: 'primary', id: 'withdraw' }, 'withdraw from contract here')),
      ),
    ),
  );
  setTitle(heading.textContent ?? '');
}

/** Pieces of each line, empty for the whole order. @param {Order} given */
const goodsFields = ({ items }) =>
  h(
    'fieldset',
    {},
    h('legend', {}, 'Goods'),
    h('p', { class: 'note' }, 'Leave all empty to withdraw from the whole order.'),
    items.flatMap(({ title, variant, quantity, withdrawalExempt }, i) => [
      labelled(`pieces-${i}`, `Pieces of ${variant ? `${title}, ${variant}` : title}, of ${quantity}`, {
        type: 'number',
        min: 0,
        max: quantity,
        step: 1,
        inputmode: 'numeric',
        value: draft[`pieces-${i}`],
      }),
      withdrawalExempt !== null && h('p', { class: 'note' }, `You cannot withdraw from it: ${withdrawalExempt}`),
    ]),
  );

/** The lines that were chosen, with their pieces. */
function chosen() {
  return (order?.items ?? []).flatMap((item, i) => {
    const quantity = Math.floor(Number(draft[`pieces-${i}`] ?? ''));
    return quantity >= 1 ? [{ item, quantity }] : [];
  });
}

/** Shows what is sent, and the one button that sends it: the second step. */
function showSummary() {
  const heading = h('h1', { tabindex: -1 }, 'Confirm your withdrawal');
  const goods = chosen().map(({ item, quantity }) => `${quantity} × ${item.title}`);
  const row = (/** @type {string} */ label, /** @type {string | undefined} */ text) =>
    text ? h('div', {}, h('dt', {}, label), h('dd', {}, text)) : null;
  const said = h('p', { class: 'error', role: 'alert' });
  // A statement whose answer is lost is sent once more under the same key, and counts once.
  const key = crypto.randomUUID();
  const confirm = h(
    'button',
    { type: 'button', class: 'primary', id: 'confirm', onclick: () => void send() },
    'confirm withdrawal',
  );
  const send = async () => {
    confirm.disabled = true;
    fill(said);
    try {
      const { receivedAt } = await createWithdrawal(inputOf(), key, order && token);
      showReceipt(receivedAt);
    } catch (error) {
      confirm.disabled = false;
      if (order && error instanceof Refused && error.status === 404) {
        // The link has ended meanwhile: the statement needs the e-mail, and counts without the link.
        order = undefined;
        draft.note = [goods.join(', '), draft.note].filter(Boolean).join('\n');
        showForm();
        showProblems([{ name: 'email', text: 'The link to your order has ended. Please enter your e-mail.' }]);
        return;
      }
      fill(said, refusal(error));
    }
  };
  fill(
    byId('main'),
    h(
      'div',
      { class: 'narrow' },
      heading,
      h('p', {}, 'I withdraw from the contract about these goods:'),
      h(
        'dl',
        { class: 'stated' },
        row('Name', draft.name),
        row('E-mail', draft.email || 'that of the order'),
        row('Order number', draft.orderNumber),
        row('Goods', goods.join(', ') || (order ? 'the whole order' : undefined)),
        row('Note', draft.note),
      ),
      said,
      h('p', {}, confirm, ' ', h('button', { type: 'button', class: 'plain', onclick: showForm }, 'Change it')),
    ),
  );
  setTitle(heading.textContent ?? '');
  heading.focus();
}

/** @returns {Input} */
function inputOf() {
  const { name, email, orderNumber, note } = draft;
  const items = chosen().map(({ item, quantity }) => ({ productId: item.productId, quantity }));
  return {
    ...(name && { name }),
    ...(email && { email }),
    // The number of the order is that of its token.
    ...(orderNumber && !order && { orderNumber }),
    ...(items.length > 0 && { items }),
    ...(note && { note }),
  };
}

/** @param {unknown} error */
function refusal(error) {
  if (!(error instanceof Refused)) return wordsFor(error);
  if (error.status === 429) return 'Many statements came from your connection. Please try again later, or write to us.';
  if (error.status >= 500 || error.status === 0)
    return 'We do not know whether your statement has arrived. Please press the button again: it counts once.';
  const [detail] = error.details;
  return detail ? `Please check what you entered: ${detail.field} ${detail.reason}.` : error.message;
}

/** @param {string} receivedAt */
function showReceipt(receivedAt) {
  const heading = h('h1', { tabindex: -1 }, 'Your withdrawal was received');
  fill(
    byId('main'),
    h(
      'div',
      { class: 'narrow' },
      heading,
      h('p', { id: 'received' }, 'We received it on ', h('time', { datetime: receivedAt }, moment(receivedAt)), '.'),
      h('p', {}, 'This confirms the receipt. It is not yet an acceptance.'),
      h('p', {}, `We send an acknowledgement to ${draft.email || 'the e-mail address of the order'}.`),
      h('p', {}, h('a', { class: 'button', href: 'index.html' }, 'To the home page')),
    ),
  );
  setTitle(heading.textContent ?? '');
  heading.focus();
}

addEventListener('hashchange', () => location.reload());
setTitle('Withdraw from a contract');
void showShell();
await start().catch(showFailure);
