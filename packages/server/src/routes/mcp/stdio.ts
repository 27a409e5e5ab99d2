import { once } from 'node:events';
import type { Context } from '@commerce/core';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { routeTable } from '../table.ts';
import type { AssistantStreams } from './assistant.ts';
import { serverOf, Toolbox } from './server.ts';
import { toolsOf } from './tools.ts';

/** See `serveAssistant`; a module of its own, because it loads the library. */
export async function serveStreams(
  ctx: Context,
  { input, output, onError = () => {} }: AssistantStreams,
): Promise<void> {
  const toolbox = new Toolbox(toolsOf(routeTable({ ordersApi: false, uploads: false })));
  const ended = Promise.race([once(input, 'close'), once(input, 'end')]);
  const handle = serveStdio(() => serverOf(toolbox, ctx, { onFault: onError }), {
    transport: new StdioServerTransport(input, output),
    onerror: onError,
  });
  await ended;
  await handle.close();
}
