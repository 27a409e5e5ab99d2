import type { Context, Scope } from '@commerce/core';

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

/** One line of the route table: a path under the store prefix, what a key needs to use it, and what is done. */
export interface Route {
  method: Method;
  path: string;
  scope: Scope;
  status: 200 | 201 | 202 | 204;
  /** What the body of a POST or PUT is: a JSON object, or a form with files, which come as they arrive. */
  body: 'json' | 'files';
  /** The answer's JSON; undefined with 204. */
  run(ctx: Context, input: RouteInput): Promise<string | undefined>;
}

/** A route; the status of success is 200 unless said otherwise. */
export function route<const Path extends string>(
  method: Method,
  path: Path,
  scope: Scope,
  run: (ctx: Context, input: RouteInput<ParamNames<Path>>) => Promise<string | undefined>,
  status: Route['status'] = 200,
  body: Route['body'] = 'json',
): Route {
  return { method, path, scope, run, status, body };
}

/** A method that is known and closed on purpose; the text names the ways that are open instead. */
export interface ClosedRoute {
  method: Method;
  path: string;
  closed: string;
}

interface Node {
  children: Map<string, Node>;
  parameter?: { name: string; node: Node };
  routes: Map<Method, Route | ClosedRoute>;
}

export interface Match {
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
    return node.routes.size > 0 ? { routes: node.routes, params } : undefined;
  }
}

function newNode(): Node {
  return { children: new Map(), routes: new Map() };
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

/** The `Allow` header of a path: HEAD goes with GET, PATCH with PUT. */
export function allowed(routes: ReadonlyMap<Method, Route | ClosedRoute>): string {
  return [...routes.values()]
    .filter((route) => 'run' in route)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method === 'PUT' ? ['PUT', 'PATCH'] : [method]))
    .join(', ');
}
