import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Context } from '@commerce/core';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { serverOf, Toolbox } from './server.ts';
import type { Tool } from './tools.ts';

/** Streams of one assistant. */
export interface AssistantStreams {
  input: Readable;
  output: Writable;
  /** Called for an error that is not the assistant's, and for a message that cannot be read. */
  onError?: (error: unknown) => void;
}

/** Answers one assistant until its input ends; see `serveAssistant`. */
export async function serveStreams(
  ctx: Context,
  tools: ReadonlyMap<string, Tool>,
  { input, output, onError = () => {} }: AssistantStreams,
): Promise<void> {
  const toolbox = new Toolbox(tools);
  const ended = Promise.race([once(input, 'close'), once(input, 'end')]);
  const handle = serveStdio(() => serverOf(toolbox, ctx, { onFault: onError }), {
    transport: new StdioServerTransport(input, output),
    onerror: onError,
  });
  await ended;
  await handle.close();
}
