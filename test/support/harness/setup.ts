// Checks every answer that a test fetches from our services against the document. Loaded before each test file; a process can run several.

// Node.js 20 reads these authorities at each start, which takes longer than the rest of the start; tests do not use the network.
delete process.env.NODE_EXTRA_CA_CERTS;

const held = Symbol.for('fetch of the tests');
const shared = globalThis as { [held]?: typeof fetch };
/** Node's own fetch, whichever test file asks first. */
const real = shared[held] ?? globalThis.fetch;
shared[held] = real;

/** Our own paths; an application that mounts the service can have others. */
const ours = /^\/(?:(?:api\/)?stores\/|api\/webhooks\/|media\/|(?:healthz|readyz|openapi\.json|docs|metrics)(?:\/|$))/;

globalThis.fetch = async (input, init) => {
  const response = await real(input, init);
  const request = input instanceof Request ? input : undefined;
  const { hostname, pathname, search } = new URL(request?.url ?? String(input));
  const isLocal = hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]';
  // Other servers here, such as a provider's stub or a subscriber, answer without a request id.
  if (!isLocal || !ours.test(pathname) || !response.headers.has('x-request-id')) return response;
  const { expectDocumented } = await import('./contract.ts');
  const isImage = response.headers.get('content-type')?.startsWith('image/');
  const text = isImage ? '' : await textOf(response);
  if (text === undefined) return response;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  const headers = Object.fromEntries(response.headers);
  await expectDocumented(method, `${pathname}${search}`, response.status, headers, text);
  return response;
};

/** The body, which the test can still read; undefined if the connection broke. */
async function textOf(response: Response): Promise<string | undefined> {
  try {
    return await response.clone().text();
  } catch {
    return undefined;
  }
}
