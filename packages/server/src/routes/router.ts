import type { Context, ErrorKind, Scope } from '@commerce/core';
import type { SchemaName } from '@commerce/core/schemas';
import type { AnswerForm } from './answers.ts';

/** The names in braces of a path. */
type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** What a route's operation gets of the request. */
export interface RouteInput<Param extends string = string> {
  /** The path's parameters, decoded. */
  params: Record<Param, string>;
  /** Of type `never` so that they fit any operation's input: the operation parses them, nothing else may look inside. */
  query: never;
  body: never;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a route does, and what its document says of it. */
export interface RouteSpec<Param extends string = string> {
  /** The operation's id, as in `listProducts`. */
  name: string;
  summary: string;
  /** What is worth saying beyond the summary. */
  description?: string;
  /** The schema of the query's parameters. */
  query?: SchemaName;
  /** The schema of the body; `files` is a form with files, which come as they arrive. A POST or PUT without it has none. */
  body?: SchemaName | 'files';
  /** Kinds of errors that are this route's own, beside those that every route of its method and path may have. */
  errors?: readonly ErrorKind[];
  answer: AnswerForm;
  /** The operation. What it gives is printed as `answer` says. */
  run(ctx: Context, input: RouteInput<Param>): Promise<unknown>;
}

/** One line of the route table: a path under the store prefix, what a key needs to use it, and what is done. */
export interface Route extends RouteSpec {
  method: Method;
  path: string;
  scope: Scope;
}

/** A route whose parameters are those of its path. */
export function route<const Path extends string>(
  method: Method,
  path: Path,
  scope: Scope,
  spec: RouteSpec<ParamNames<Path>>,
): Route {
  return { method, path, scope, ...spec };
}

/** A method that is known and closed on purpose; the text names the ways that are open instead. */
export interface ClosedRoute {
  method: Method;
  path: string;
  closed: string;
  /** What it is where it is open. */
  open: Route;
}

interface Node {
  children: Map<string, Node>;
  parameter?: { name: string; node: Node };
  /** As the table has it. */
  path: string;
  routes: Map<Method, Route | ClosedRoute>;
}

export interface Match {
  /** The path as the table has it, such as `/products/{id}`. */
  path: string;
  routes: ReadonlyMap<Method, Route | ClosedRoute>;
  params: Record<string, string>;
}

/** Finds the routes of a path; literal segments go before parameters. */
export class Router {
  readonly #root: Node = newNode();

  constructor(routes: readonly (Route | ClosedRoute)[]) {
    for (const route of routes) {
      let node = this.#root;
      for (const segment of route.path.slice(1).split('/')) {
        const name = /^\{(\w+)\}$/.exec(segment)?.[1];
        if (name !== undefined) {
          node.parameter ??= { name, node: newNode() };
          node = node.parameter.node;
        } else {
          const child = node.children.get(segment) ?? newNode();
          node.children.set(segment, child);
          node = child;
        }
      }
      node.path = route.path;
      node.routes.set(route.method, route);
    }
  }

  /** The routes of a path such as `/products/123`; undefined where there are none. */
  match(path: string): Match | undefined {
    let node = this.#root;
    const params: Record<string, string> = {};
    for (const segment of path.slice(1).split('/')) {
      const child = node.children.get(segment);
      if (child) {
        node = child;
        continue;
      }
      const { parameter } = node;
      const value = parameter && decode(segment);
      if (!parameter || !value) return undefined;
      params[parameter.name] = value;
      node = parameter.node;
    }
    return node.routes.size > 0 ? { path: node.path, routes: node.routes, params } : undefined;
  }
}

function newNode(): Node {
  return { children: new Map(), path: '', routes: new Map() };
}

/** A path segment decoded; undefined when it is not valid percent-encoding. */
export function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The `Allow` header of a path: HEAD goes with GET, PATCH with PUT, and OPTIONS is for all. */
export function allowed(routes: ReadonlyMap<Method, Route | ClosedRoute>): string {
  const methods = [...routes.values()]
    .filter((route) => 'run' in route)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method === 'PUT' ? ['PUT', 'PATCH'] : [method]));
  return [...methods, 'OPTIONS'].join(', ');
}
