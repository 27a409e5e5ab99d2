import { shown } from '../output/print.ts';
import { version } from '../version.ts';
import type { FirstStore } from './messages.ts';

/** Prints the address of the service, and how to get into a store that was just created. */
export function announce(
  options: { json?: boolean; dashboard: boolean },
  url: string,
  location: string,
  first: FirstStore | undefined,
): void {
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ url, ...first })}\n`);
    return;
  }
  const lines = [
    `Commerce ${version} listens on ${url}`,
    `  interface  ${url}/stores/…`,
    ...(options.dashboard ? [`  dashboard  ${url}/dashboard`] : []),
    `  docs       ${url}/docs`,
    `  database   ${shown(location)}`,
  ];
  if (first) {
    const { store, apiKey, signInCode } = first;
    lines.push(
      '',
      `The database is new. A store was created${apiKey ? ', with an API key that is shown only now' : ''}:`,
      `  store  ${store.id}  (${shown(store.name)}, ${store.currency}; run \`commerce stores create\` for another)`,
      ...(apiKey ? [`  key    ${apiKey.key}`] : []),
      ...(signInCode
        ? [
            '',
            'Open the dashboard with this sign-in link; it works once, within ten minutes:',
            `  ${signInLink(url, signInCode)}`,
          ]
        : []),
      '',
      ...(apiKey
        ? ['Try it:', `  curl -H 'Authorization: Bearer ${apiKey.key}' ${url}/stores/${store.id}/products`]
        : [
            'No API key was created, because this output can end up in a log. To create one in the same database:',
            "  commerce keys create --name 'first key' --preset full",
          ]),
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Dashboard address that signs in. The code follows `#`, which browsers do not send and logs do not keep. */
export function signInLink(url: string, code: string): string {
  return `${url}/dashboard#code=${code}`;
}

/** An error of listening, with a remedy. */
export function describeListenError(error: unknown, host: string, port: number): unknown {
  const { code, syscall } = (error ?? {}) as { code?: string; syscall?: string };
  // The same codes for a file or a folder mean something else.
  if (syscall === undefined || !/^(listen|bind|getaddrinfo)$/.test(syscall)) return error;
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} on ${host} is in use; choose another with --port`,
    EACCES: `port ${port} on ${host} requires more rights than this user has; choose one above 1023 with --port`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; choose another with --host`,
    ENOTFOUND: `${host} is not an address of this machine; choose another with --host`,
  };
  const reason = reasons[code ?? ''];
  return reason === undefined ? error : Object.assign(new Error(reason, { cause: error }), { code });
}
