import * as z from 'zod';
import { once } from '../fields/answers.ts';
import { noted } from '../fields/notes.ts';
import { strictly } from '../kernel/known-fields.ts';
import { fields } from '../kernel/parse.ts';

const id = z.union([z.string(), z.number()]);
const ofId = {
  description: 'Chosen by the sender, and repeated in the answer. Absent from a notification.',
  examples: [1],
};

const version = () => z.literal('2.0').meta({ description: 'The version of JSON-RPC.', examples: ['2.0'] });

/** A message of the Model Context Protocol. The library of the protocol reads it; this only describes it. */
export const McpMessage = noted(
  strictly(
    fields({
      jsonrpc: version(),
      id: id.optional().meta(ofId),
      method: z.string().meta({ description: 'Such as `tools/list` and `tools/call`.', examples: ['tools/call'] }),
      params: z
        .record(z.string(), z.unknown())
        .optional()
        .meta({ description: 'As the method defines them. A call has `name` and `arguments` of a tool.' }),
    }),
    () => z.object({}),
  ),
  {
    description: 'A message of the Model Context Protocol: a JSON-RPC request or notification.',
    example: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_orders', arguments: { limit: 10 } } },
  },
);

export const mcpAnswer = once(() =>
  z
    .looseObject({
      jsonrpc: version(),
      id: id.nullable().meta(ofId),
      result: z.looseObject({}).optional().meta({
        description:
          'What the method answers. A call has `structuredContent`, the same as text in `content`, and `isError`.',
      }),
      error: z
        .looseObject({
          code: z.int().meta({ description: 'A code of JSON-RPC.', examples: [-32602] }),
          message: z.string().meta({ description: 'What is wrong.', examples: ['Unknown tool: sell_everything'] }),
        })
        .optional()
        .meta({ description: 'A message that was not understood. A refusal of a tool is a result.' }),
    })
    .meta({ description: 'The answer to a message of the Model Context Protocol.' }),
);
