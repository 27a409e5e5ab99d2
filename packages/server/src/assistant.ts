import type { Context } from '@commerce/core';
import type { AssistantStreams } from './routes/mcp/stdio.ts';
import { toolsOf } from './routes/mcp/tools.ts';
import { routeTable } from './routes/table.ts';

/**
 * Answers one assistant in the Model Context Protocol until its input ends. The audit log names the actor of the context, whose scopes decide
 * which tools there are.
 */
export async function serveAssistant(ctx: Context, streams: AssistantStreams): Promise<void> {
  // The library of the protocol is loaded only here.
  const { serveStreams } = await import('./routes/mcp/stdio.ts');
  return serveStreams(ctx, toolsOf(routeTable({ ordersApi: false, uploads: false })), streams);
}
