import type { Readable, Writable } from 'node:stream';
import type { Context } from '@commerce/core';

/** Streams of one assistant, and what is told about its errors. */
export interface AssistantStreams {
  input: Readable;
  output: Writable;
  /** Called for an error that is not the assistant's, and for a message that cannot be read. */
  onError?: (error: unknown) => void;
}

/**
 * Answers one assistant in the Model Context Protocol until its input ends. The audit log names the actor of the context, whose scopes decide
 * which tools there are.
 */
export async function serveAssistant(ctx: Context, streams: AssistantStreams): Promise<void> {
  const { serveStreams } = await import('./stdio.ts');
  return serveStreams(ctx, streams);
}
