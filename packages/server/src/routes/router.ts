import type { Context, ErrorKind, Role, Scope } from '@commerce/core';
import type { SchemaName } from '@commerce/core/schemas';
import type { Answer, AppRequest } from '../http.ts';
import type { AnswerForm } from './answers.ts';

/** One text for each pair of braces in a path. */
type PathParameters<Path extends string> = Path extends `${string}{${infer _Name}}${infer Rest}`
  ? [parameter: string, ...PathParameters<Rest>]
  : [];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Headers in which a buyer's page sends what proves that it is the buyer's. */
export type SecretHeader = 'Checkout-Secret' | 'Order-Token';

/** A request of another protocol. */
export interface ExchangeRequest {
  request: AppRequest;
  /** The position that a read replica must have. */
  position: string | undefined;
}

/** Answers a request of another protocol. */
export type Exchange = (ctx: Context, asked: ExchangeRequest) => Promise<Answer>;

/** Operation of a route, and its description for the document. */
interface RouteSpec {
  /** The operation's id, as in `listProducts`. */
  name: string;
  summary: string;
  /** Sentences after the summary. */
  description?: string;
  /** The schema of the query's parameters. */
  query?: SchemaName;
  /** True if parameters of the query can be repeated, to name several values. */
  repeats?: boolean | undefined;
  /**
   * The schema of the body; `files` is a form with files and `import` a file to be imported, both read as they arrive. Absent if a POST
   * takes no body.
   */
  body?: SchemaName | 'files' | 'import';
  /** The scope required for a query; undefined if the line's own scope applies. */
  scopeOf?: (query: Record<string, string>) => Scope | undefined;
  /** A role of users that is admitted without the scope. */
  orRole?: Role;
  /** True if only a user who has signed in has it, and no key. */
  forUsers?: boolean;
  /** True if a read replica can answer, a few seconds late: nothing sold, paid or sent is decided by it. */
  mayLag?: boolean;
  /**
   * True if the answer depends on nothing but the data, the path, the query, and whether the key is public; what depends on the time is
   * noted in `lasting` of the context. It is then kept until something is written.
   */
  isKept?: boolean;
  /** True if a POST only asks: it counts as a read, and can be repeated without an `Idempotency-Key`. */
  changesNothing?: boolean;
  /** A header with a secret of the buyer. The operation takes its text last, or undefined. It is never in a path, a query or a log. */
  secretHeader?: SecretHeader;
  /** Kinds of errors of only this route, in addition to the usual ones of its method and path. */
  errors?: readonly ErrorKind[];
  answer: AnswerForm;
}

/** One line of the route table: method and path below the store prefix, the scope it needs, and its operation. */
export interface Route extends RouteSpec {
  method: Method;
  path: string;
  /** Null if any key is accepted. */
  scope: Scope | null;
  /**
   * The operation. Its arguments are the context, the parameters of the path in order, and the input of a query or body schema named by the
   * line. Input is `never`, which fits any operation: only the operation parses it.
   */
  run(ctx: Context, ...args: never[]): Promise<unknown>;
  /** Answers instead of `run`, for another protocol: it reads the body itself, and has no `Idempotency-Key`. */
  exchange?: Exchange;
}

/** A route, whose operation takes as many parameters as its path has. */
export function route<const Path extends string>(
  method: Method,
  path: Path,
  scope: Scope | null,
  spec: RouteSpec & { run(ctx: Context, ...args: [...PathParameters<Path>, ...input: never[]]): Promise<unknown> },
): Route {
  return { method, path, scope, ...spec, run: spec.run as never };
}

/** A route that is closed on purpose. */
export interface ClosedRoute {
  method: Method;
  path: string;
  /** The reason, with the open alternatives. */
  closed: string;
  /** The route of a service that opens it. */
  open: Route;
  /** True if it is open to users who have signed in. */
  openToUsers?: boolean;
}

interface Node {
  children: Map<string, Node>;
  parameter?: Node;
  /** Parameters with an ending, such as `{id}.pdf`, by the ending. */
  endings: Map<string, Node>;
  /** The path in the table. */
  path: string;
  routes: Map<Method, Route | ClosedRoute>;
}

export interface Match {
  /** The path in the table, such as `/products/{id}`. */
  path: string;
  routes: ReadonlyMap<Method, Route | ClosedRoute>;
  /** The path's parameters, decoded, in order. */
  parameters: readonly string[];
}

/** Finds the routes of a path; literal segments take precedence over parameters, and those with an ending over others. */
export class Router {
  readonly #root: Node = newNode();

  constructor(routes: readonly (Route | ClosedRoute)[]) {
    for (const route of routes) {
      let node = this.#root;
      for (const segment of route.path.slice(1).split('/')) {
        const ending = /^\{\w+\}(.+)$/.exec(segment)?.[1];
        if (ending !== undefined) {
          const child = node.endings.get(ending) ?? newNode();
          node.endings.set(ending, child);
          node = child;
        } else if (segment.startsWith('{')) {
          node.parameter ??= newNode();
          node = node.parameter;
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

  /** The routes of a path such as `/products/123`; undefined if there are none. */
  match(path: string): Match | undefined {
    let node = this.#root;
    const parameters: string[] = [];
    for (const segment of path.slice(1).split('/')) {
      const child = node.children.get(segment);
      if (child) {
        node = child;
        continue;
      }
      const ending = [...node.endings.keys()].find((one) => segment.endsWith(one) && segment.length > one.length);
      const parameter = ending === undefined ? node.parameter : node.endings.get(ending);
      const value = parameter && decode(ending === undefined ? segment : segment.slice(0, -ending.length));
      if (!parameter || !value) return undefined;
      parameters.push(value);
      node = parameter;
    }
    return node.routes.size > 0 ? { path: node.path, routes: node.routes, parameters } : undefined;
  }
}

function newNode(): Node {
  return { children: new Map(), endings: new Map(), path: '', routes: new Map() };
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

/** The `Allow` header of a path: HEAD goes with GET, PATCH with PUT, and OPTIONS with all. */
export function allowed(routes: ReadonlyMap<Method, Route | ClosedRoute>): string {
  const methods = [...routes.values()]
    .filter((route) => 'run' in route)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method === 'PUT' ? ['PUT', 'PATCH'] : [method]));
  return [...methods, 'OPTIONS'].join(', ');
}
