import type { Answer, AppRequest } from '../http.ts';
import { version } from '../version.ts';

/** Every address is relative, so that the page works below the prefix of a proxy. */
const page = (dashboard: boolean) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Commerce</title>
<link rel="icon" href="data:,">
<style>
body { margin: 15vh auto; max-width: 32rem; padding: 0 1rem; font-family: system-ui, sans-serif; line-height: 1.5; color: #22272e; }
h1 { margin: 0; }
a { color: #0b57a4; }
</style>
</head>
<body>
<h1>Commerce</h1>
<p>The service runs, version ${version}. This is not a shop: you build your shop on its API.</p>
<ul>
${dashboard ? '<li><a href="dashboard">Dashboard</a></li>\n' : ''}<li><a href="docs">API reference</a></li>
<li><a href="openapi.json">OpenAPI 3.1 document</a></li>
<li><a href="readyz">Readiness check</a></li>
</ul>
</body>
</html>
`;

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

const links = { docs: '/docs', document: '/openapi.json', health: '/healthz', readiness: '/readyz' };

/** Answers a browser with a page, and other clients with the same content as JSON. */
export async function answerHome({ headers }: AppRequest, dashboard = false): Promise<Answer> {
  if (!/\btext\/html\b/.test(headers.accept ?? '')) {
    return {
      status: 200,
      headers: { Vary: 'Accept', ...json },
      body: JSON.stringify({ name: 'Commerce', version, ...(dashboard ? { dashboard: '/dashboard' } : {}), ...links }),
    };
  }
  const html = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy };
  return { status: 200, headers: { ...html, ...shared, Vary: 'Accept' }, body: page(dashboard) };
}

const shared = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const json = { 'Content-Type': 'application/json; charset=utf-8', ...shared };
