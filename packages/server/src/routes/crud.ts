import type { Context, Json, List, Scope } from '@commerce/core';
import { type Route, route } from '../router.ts';
import { item, list, nothing } from './answers.ts';

type Resource = Extract<Scope, `${string}.delete`> extends `${infer Name}.delete` ? Name : never;

/** What core does with one kind of resource. Items and lists come as objects or as the text that core keeps of them. */
interface Operations {
  list(ctx: Context, query: never): Promise<Json<List<unknown>> | List<unknown>>;
  create(ctx: Context, input: never): Promise<object>;
  read(ctx: Context, id: string): Promise<string | object>;
  update(ctx: Context, id: string, changes: never): Promise<object>;
  delete(ctx: Context, id: string): Promise<void>;
}

/** The five routes that every resource of a store has alike. */
export function crudRoutes(path: `/${string}`, resource: Resource, operations: Operations): readonly Route[] {
  const one = `${path}/{id}` as const;
  return [
    route('GET', path, `${resource}.read`, (ctx, { query }) => operations.list(ctx, query).then(list)),
    route('POST', path, `${resource}.write`, (ctx, { body }) => operations.create(ctx, body).then(item), 201),
    route('GET', one, `${resource}.read`, (ctx, { params }) => operations.read(ctx, params.id).then(item)),
    route('PUT', one, `${resource}.write`, (ctx, { params, body }) =>
      operations.update(ctx, params.id, body).then(item),
    ),
    route(
      'DELETE',
      one,
      `${resource}.delete`,
      (ctx, { params }) => operations.delete(ctx, params.id).then(nothing),
      204,
    ),
  ];
}
