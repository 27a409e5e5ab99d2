import {
  type AgentChange,
  CommerceError,
  type Context,
  carryOut,
  type PreviewedChange,
  previewChange,
  readNearby,
} from '@commerce/core';
import { refuseUnknownInBody, refuseUnknownInQuery, type SchemaName } from '@commerce/core/schemas';
import { toErrorAnswer } from '../../errors.ts';
import { mayAsk, mayCall, pathArguments, type Tool } from './tools.ts';

/** The arguments of a call. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Place of a call in its service. */
export interface CallPlace {
  /** The position that a read replica must have. */
  position?: string | undefined;
  /** Called for an error that is not the caller's. */
  onFault(error: unknown): void;
}

/** The result of a tool, as JSON text. */
export interface ToolResult {
  text: string;
  isError: boolean;
}

/** Calls a tool. Never throws: a refusal is a result, too. */
export async function callTool(
  ctx: Context,
  tool: Tool,
  args: ToolArguments,
  { position, onFault }: CallPlace,
): Promise<ToolResult> {
  try {
    return { text: await run(ctx, tool, args, position), isError: false };
  } catch (error) {
    const { status, body = '' } = toErrorAnswer(error, ctx.requestId ?? '');
    const isRefusal = error instanceof CommerceError && error.kind !== 'internal' && error.cause === undefined;
    if (status >= 500 && !isRefusal) onFault(error);
    return { text: body, isError: true };
  }
}

async function run(ctx: Context, tool: Tool, args: ToolArguments, position: string | undefined): Promise<string> {
  const { route } = tool;
  if (!mayCall(ctx.actor, tool)) {
    throw new CommerceError('forbidden', `insufficient permissions: ${tool.name} requires the scope ${route.scope}`);
  }
  const { confirm, ...given } = args;
  if (tool.kind === 'reads') {
    if (confirm !== undefined) refuseUnknown(undefined, { confirm });
    const input = inputOf(tool, given);
    const read = (on: Context) => route.run(on, ...(input as never[]));
    const result = await (route.mayLag && ctx.engine.storage.replicas ? readNearby(ctx, position, read) : read(ctx));
    return route.answer.print(result) ?? '{}';
  }
  const change = changeOf(tool, given);
  if (confirm === undefined) return JSON.stringify(seenBy(ctx, tool, await previewChange(ctx, change)));
  const result = await carryOut(ctx, change, confirm);
  return result === null ? JSON.stringify({ deleted: given.id }) : `{"item":${result}}`;
}

/** A preview of a deletion as its actor may see it: the interface shows nothing of what it deletes. Other changes answer what they change. */
function seenBy({ actor }: Context, { route, target }: Tool, previewed: PreviewedChange): PreviewedChange {
  const { of } = previewed.preview;
  if (route.answer.wrap !== 'nothing' || !target || mayAsk(actor, target.route)) return previewed;
  return { ...previewed, preview: { of: { id: of?.id }, deleted: { id: of?.id } } };
}

function changeOf(tool: Tool, args: ToolArguments): AgentChange<unknown> {
  const { name, route, target } = tool;
  const input = inputOf(tool, args);
  const [id] = input;
  return {
    tool: name,
    args,
    run: (on) => route.run(on, ...(input as never[])),
    print: (result) =>
      route.answer.wrap === 'nothing' ? undefined : typeof result === 'string' ? result : JSON.stringify(result),
    ...(target &&
      typeof id === 'string' && {
        target: {
          id,
          read: (on: Context) => target.route.run(on, id as never, {} as never) as Promise<string | object>,
          shown: target.shown,
        },
      }),
  };
}

/**
 * The arguments of the operation: those of the path, then the query or the body.
 * @throws CommerceError `validation` for an argument that the tool does not have
 */
function inputOf({ route, fields }: Tool, args: ToolArguments): unknown[] {
  const { query, body, method } = route;
  const paths = pathArguments(route);
  const rest = { ...args };
  for (const name of paths) Reflect.deleteProperty(rest, name);
  const ids = paths.map((name) => idIn(args, name));
  if (query) {
    refuseUnknownInQuery(query, Object.keys(rest));
    return [...ids, rest];
  }
  if (!body || body === 'files' || body === 'import') {
    refuseUnknown(undefined, rest);
    return ids;
  }
  if (method !== 'PUT') {
    refuseUnknown(body, rest);
    return [...ids, rest];
  }
  const { changes, ...others } = rest;
  refuseUnknown(undefined, others);
  if (changes === null || typeof changes !== 'object' || Array.isArray(changes)) {
    throw refused(
      'changes',
      'must be an object with the fields to change',
      changes === undefined ? 'REQUIRED' : 'WRONG_TYPE',
    );
  }
  refuseUnknown(body, changes);
  const other = fields && Object.keys(changes).find((name) => !fields.includes(name));
  if (other !== undefined) throw refused(`changes.${other}`, `must be one of ${fields?.join(', ')}`, 'UNKNOWN_FIELD');
  return [...ids, changes];
}

function refuseUnknown(body: SchemaName | undefined, input: object): void {
  refuseUnknownInBody(body, input);
}

function idIn(args: ToolArguments, name: string): string {
  const id = args[name];
  if (typeof id === 'string' && id !== '') return id;
  throw refused(name, 'must be an id, as lists answer it', id === undefined ? 'REQUIRED' : 'WRONG_TYPE');
}

function refused(field: string, reason: string, code: 'REQUIRED' | 'WRONG_TYPE' | 'UNKNOWN_FIELD'): CommerceError {
  return new CommerceError('validation', `${field}: ${reason}`, { details: [{ field, reason, code }] });
}
