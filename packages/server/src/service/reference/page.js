/*
 * The script of the page at /docs: a first request, Redoc, and the panel in which an operation is tried. It asks the service that it
 * came from and nobody else, keeps the key in its field alone, and writes whatever it is answered as text.
 */
const of = (id) => document.getElementById(id);
const [place, panel, form, operationField, storeField, keyField] = [
  'reference',
  'try',
  'form',
  'operation',
  'store',
  'key',
].map(of);
const [parameterFields, bodyPlace, statusLine, sentText, answerText] = [
  'parameters',
  'body',
  'status',
  'sent',
  'answer',
].map(of);

/** Address of the service, which is beside this page, also below the prefix of a proxy. */
const base = new URL('.', location.href).href.replace(/\/$/, '');
const storePlaceholder = 'YOUR_STORE_ID';
const longestAnswer = 100_000;
const textOf = (error) => (error instanceof Error ? error.message : String(error));

function showFirstRequest() {
  of('curl').textContent = [
    'export KEY=ck_live_…    # the key',
    `curl ${base}/stores/${storeField.value.trim() || storePlaceholder}/products -H "Authorization: Bearer $KEY"`,
  ].join('\n');
}

of('copy').addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(of('curl').textContent);
    of('copied').textContent = 'Copied.';
  } catch {
    getSelection().selectAllChildren(of('curl'));
    of('copied').textContent = 'Selected: copy it with the keyboard.';
  }
});
storeField.addEventListener('input', showFirstRequest);
showFirstRequest();

const sans = 'system-ui, sans-serif';
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace';
const typography = { fontFamily: sans, headings: { fontFamily: sans }, code: { fontFamily: mono } };
const spacing = { sectionVertical: 20 };
const lightTheme = { spacing, typography, colors: { primary: { main: '#0b57a4' } } };
const darkTheme = {
  spacing,
  typography: {
    ...typography,
    code: { ...typography.code, color: '#ffb4a8', backgroundColor: '#262d35' },
    links: { color: '#8ab8f0', visited: '#8ab8f0', hover: '#b5d2f7' },
  },
  colors: {
    tonalOffset: 0.3,
    primary: { main: '#8ab8f0', light: '#b5d2f7', dark: '#5f97d8', contrastText: '#0d1720' },
    success: { main: '#6cc58f' },
    error: { main: '#ff9a91' },
    gray: { 50: '#1d232a', 100: '#262d35' },
    text: { primary: '#dce3ea', secondary: '#9da7b1' },
    border: { dark: '#39424c', light: '#262d35' },
    responses: {
      success: { color: '#6cc58f', backgroundColor: '#16261c' },
      error: { color: '#ff9a91', backgroundColor: '#2d1a1a' },
      redirect: { color: '#e5c07b', backgroundColor: '#2b2416' },
      info: { color: '#8ab8f0', backgroundColor: '#16202b' },
    },
  },
  schema: {
    linesColor: '#5a6672',
    typeNameColor: '#9da7b1',
    typeTitleColor: '#9da7b1',
    requireLabelColor: '#ff9a91',
    nestedBackground: '#1d232a',
    arrow: { color: '#9da7b1' },
  },
  sidebar: {
    backgroundColor: '#191e24',
    textColor: '#dce3ea',
    activeTextColor: '#8ab8f0',
    arrow: { color: '#9da7b1' },
  },
  rightPanel: { backgroundColor: '#0f1317', textColor: '#e6edf3' },
  codeBlock: { backgroundColor: '#1a2027' },
  fab: { backgroundColor: '#262d35', color: '#dce3ea' },
};

/** Shows PUT and PATCH once: PATCH does the same, and the document for programs has both. */
function withoutTwins(whole) {
  const paths = Object.entries(whole.paths).map(([path, { patch, ...others }]) => {
    if (!patch || !others.put) return [path, patch ? { patch, ...others } : others];
    const put = { ...others.put, description: `${others.put.description ?? ''}\n\nPATCH does the same.`.trim() };
    return [path, { ...others, put }];
  });
  return { ...whole, paths: Object.fromEntries(paths) };
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function showReference(shown) {
  const inside = document.createElement('div');
  place.replaceChildren(inside);
  const options = {
    hideDownloadButtons: true,
    expandResponses: '200,201,202',
    nativeScrollbars: true,
    scrollYOffset: 'body > header',
    theme: dark.matches ? darkTheme : lightTheme,
  };
  Redoc.init(structuredClone(shown), options, inside, (error) => {
    if (error) place.textContent = `The document could not be shown: ${textOf(error)}`;
  });
}

/** What the panel works with, once the document is there: every operation by its id. */
const operations = new Map();
let shownDocument = {};

const resolve = (one) =>
  one.$ref === undefined
    ? one
    : one.$ref
        .split('/')
        .slice(1)
        .reduce((at, name) => at[name], shownDocument);

function labelled(text, field) {
  const label = document.createElement('label');
  label.append(text, field);
  return label;
}

function listOperations() {
  const groups = new Map();
  for (const [path, item] of Object.entries(shownDocument.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation.operationId === undefined) continue;
      operations.set(operation.operationId, { method: method.toUpperCase(), path, operation });
      const tag = operation.tags?.[0] ?? 'Others';
      const group = groups.get(tag) ?? document.createElement('optgroup');
      group.label = tag;
      groups.set(tag, group);
      const choice = document.createElement('option');
      choice.value = operation.operationId;
      choice.textContent = `${method.toUpperCase()} ${path.replace('/stores/{storeId}', '')}`;
      group.append(choice);
    }
  }
  operationField.replaceChildren(...groups.values());
}

function showFields() {
  const { path, operation } = operations.get(operationField.value);
  const parameters = (operation.parameters ?? []).map(resolve).filter(({ name }) => name !== 'storeId');
  storeField.disabled = !path.includes('{storeId}');
  parameterFields.replaceChildren(
    ...parameters.map((one) => {
      const field = document.createElement('input');
      Object.assign(field, { name: one.name, required: one.required === true, title: one.description ?? '' });
      Object.assign(field.dataset, { in: one.in });
      return labelled(`${one.name}${one.required ? '' : ' (optional)'} `, field);
    }),
  );
  const content = Object.entries(operation.requestBody?.content ?? {})[0];
  bodyPlace.replaceChildren();
  if (content === undefined) return;
  const [type, { example, examples }] = content;
  const isForm = type === 'multipart/form-data';
  const field = document.createElement(isForm ? 'input' : 'textarea');
  field.id = 'content';
  field.dataset.type = type;
  if (isForm) Object.assign(field, { type: 'file', multiple: true });
  else {
    const shown = example ?? Object.values(examples ?? {})[0]?.value ?? (type === 'application/json' ? {} : '');
    field.value = typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2);
    field.spellcheck = false;
  }
  bodyPlace.append(labelled(`Body (${type}) `, field));
}

/** The request that the fields describe. */
function requestOf() {
  const { method, path } = operations.get(operationField.value);
  const headers = new Headers();
  const query = new URLSearchParams();
  const places = new Map([['storeId', storeField.value.trim()]]);
  for (const field of parameterFields.querySelectorAll('input')) {
    if (field.value === '') continue;
    if (field.dataset.in === 'path') places.set(field.name, field.value);
    else if (field.dataset.in === 'query') query.set(field.name, field.value);
    else headers.set(field.name, field.value);
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(places.get(name) ?? ''));
  const key = keyField.value.trim();
  if (key !== '') headers.set('Authorization', `Bearer ${key}`);
  const content = of('content');
  let body;
  if (content?.files) {
    body = new FormData();
    for (const file of content.files) body.append('files', file);
  } else if (content) {
    headers.set('Content-Type', content.dataset.type);
    body = content.value;
  }
  const asked = query.size === 0 ? '' : `?${query}`;
  return { url: `${base}${filled}${asked}`, method, headers, body };
}

async function send() {
  const { url, ...request } = requestOf();
  const shown = [...request.headers].map(
    ([name, value]) => `${name}: ${name === 'authorization' ? 'Bearer …' : value}`,
  );
  sentText.textContent = [`${request.method} ${url}`, ...shown].join('\n');
  sentText.hidden = false;
  answerText.hidden = true;
  statusLine.className = '';
  statusLine.textContent = 'Waiting …';
  const begun = performance.now();
  const response = await fetch(url, { ...request, credentials: 'omit', cache: 'no-store', redirect: 'manual' });
  const type = response.headers.get('content-type') ?? '';
  const text = /json|text|xml|csv/.test(type) ? await response.text() : '';
  const bytes = text === '' && type !== '' ? `${type}, which is not shown` : '';
  statusLine.textContent = `${response.status || 'a redirection'} ${response.statusText} in ${Math.round(performance.now() - begun)} ms`;
  statusLine.className = response.ok || response.type === 'opaqueredirect' ? '' : 'bad';
  answerText.textContent = (bytes || pretty(text)).slice(0, longestAnswer);
  answerText.hidden = answerText.textContent === '';
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  send().catch((error) => {
    statusLine.className = 'bad';
    statusLine.textContent = textOf(error);
  });
});
operationField.addEventListener('change', showFields);
of('close').addEventListener('click', () => panel.close());
of('open').addEventListener('click', () => {
  // The operation that is being read is the one to try.
  const read = /operation\/(\w+)/.exec(location.hash)?.[1];
  if (read !== undefined && operations.has(read) && read !== operationField.value) {
    operationField.value = read;
    showFields();
  }
  panel.showModal();
});
// A page that is kept for going back keeps its fields, but never the key.
addEventListener('pagehide', () => {
  keyField.value = '';
});

async function begin() {
  const response = await fetch('openapi.json');
  if (!response.ok) throw new Error(`openapi.json was answered with ${response.status}`);
  shownDocument = withoutTwins(await response.json());
  listOperations();
  operationField.value = 'listProducts';
  showFields();
  // The first request is to be read while Redoc works, which takes a moment and lets nothing else happen.
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  showReference(shownDocument);
  dark.addEventListener('change', () => showReference(shownDocument));
}

begin().catch((error) => {
  place.textContent = `The document could not be shown: ${textOf(error)}`;
});
