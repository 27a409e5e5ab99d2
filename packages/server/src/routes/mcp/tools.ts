import type { Actor, Scope } from '@commerce/core';
import type { ClosedRoute, Route } from '../router.ts';

/** What a tool does to the shop: reads it, changes it, or takes money or data away. */
export type ToolKind = 'reads' | 'writes' | 'destroys';

/** A tool as a line over an operation, from which everything else follows: scope, schemas and description. */
interface ToolLine {
  /** The name of the operation in the route table. */
  operation: string;
  kind: ToolKind;
  /** What changes: the operation that gets it, and the fields by which people know it. */
  target?: { get: string; shown: readonly string[] };
  /** The only fields of the body that the tool has. */
  fields?: readonly string[];
  /** Instead of the summary of an operation that does more. */
  summary?: string;
}

const product = { get: 'getProduct', shown: ['title', 'sku', 'status'] };
const order = { get: 'getOrder', shown: ['orderNumber', 'status', 'total', 'refundedAmount', 'currency'] };
const discount = { get: 'getDiscount', shown: ['code', 'type', 'value'] };
const page = { get: 'getPage', shown: ['title', 'slug', 'status'] };

/** The tools, in the order in which they are listed. */
const lines = {
  list_products: { operation: 'listProducts', kind: 'reads' },
  get_product: { operation: 'getProduct', kind: 'reads' },
  list_categories: { operation: 'listCategories', kind: 'reads' },
  list_orders: { operation: 'listOrders', kind: 'reads' },
  get_order: { operation: 'getOrder', kind: 'reads' },
  list_customers: { operation: 'listCustomers', kind: 'reads' },
  get_customer: { operation: 'getCustomer', kind: 'reads' },
  list_payments: { operation: 'listPayments', kind: 'reads' },
  list_withdrawals: { operation: 'listWithdrawals', kind: 'reads' },
  get_statistics: { operation: 'getSales', kind: 'reads' },
  list_discounts: { operation: 'listDiscounts', kind: 'reads' },
  list_pages: { operation: 'listPages', kind: 'reads' },
  create_product: { operation: 'createProduct', kind: 'writes' },
  update_product: { operation: 'updateProduct', kind: 'writes', target: product },
  adjust_stock: { operation: 'adjustStock', kind: 'writes', target: { ...product, shown: ['title', 'sku', 'stock'] } },
  fulfil_order: { operation: 'createFulfilment', kind: 'writes', target: order },
  update_order_note: {
    operation: 'updateOrder',
    kind: 'writes',
    target: order,
    fields: ['merchantNote'],
    summary: 'Change the note of the shop on an order, which buyers do not see',
  },
  refund_order: { operation: 'refundOrder', kind: 'destroys', target: order },
  create_discount: { operation: 'createDiscount', kind: 'writes' },
  update_discount: { operation: 'updateDiscount', kind: 'writes', target: discount },
  create_page: { operation: 'createPage', kind: 'writes' },
  update_page: { operation: 'updatePage', kind: 'writes', target: page },
  delete_product: { operation: 'deleteProduct', kind: 'destroys', target: product },
  delete_discount: { operation: 'deleteDiscount', kind: 'destroys', target: discount },
  delete_page: { operation: 'deletePage', kind: 'destroys', target: page },
} as const satisfies Record<string, ToolLine>;

export type ToolName = keyof typeof lines;

/** The names of all tools, in their order. */
export const toolNames = Object.keys(lines) as readonly ToolName[];

/** A tool with its operation. */
export interface Tool {
  name: ToolName;
  kind: ToolKind;
  route: Route;
  /** Reads what changes. */
  target?: { route: Route; shown: readonly string[] };
  fields?: readonly string[];
  description: string;
}

/** The tools of these routes. */
export function toolsOf(routes: readonly (Route | ClosedRoute)[]): ReadonlyMap<string, Tool> {
  const byName = new Map(routes.flatMap((one) => ('run' in one ? [[one.name, one] as const] : [])));
  const routeOf = (operation: string): Route => {
    const route = byName.get(operation);
    if (!route) throw new Error(`no route has the operation ${operation}`);
    return route;
  };
  return new Map(
    toolNames.map((name): [string, Tool] => {
      const line: ToolLine = lines[name];
      const route = routeOf(line.operation);
      const { target, fields } = line;
      return [
        name,
        {
          name,
          kind: line.kind,
          route,
          ...(target && { target: { route: routeOf(target.get), shown: target.shown } }),
          ...(fields && { fields }),
          description: descriptionOf(line, route),
        },
      ];
    }),
  );
}

/** Says the same as the document. No text of a shop is in it. */
function descriptionOf({ kind, summary, fields }: ToolLine, route: Route): string {
  const described = fields === undefined && route.description !== undefined ? ` ${route.description}` : '';
  const preview =
    kind === 'reads'
      ? ''
      : ' Without `confirm`, nothing changes: the answer is a preview, and the `confirm` that carries it out.';
  return `${summary ?? route.summary}.${described}${preview}`;
}

/** True if an actor has the scope of a tool's operation. */
export function mayCall(actor: Actor, { route }: Tool): boolean {
  return mayAsk(actor, route);
}

/** True if an actor has the scope of an operation. */
export function mayAsk({ scopes }: Actor, { scope }: Route): boolean {
  return scopes === undefined || (scope !== null && scopes.has(scope as Scope));
}

/** Names of the parameters in the path of a tool's operation, which are arguments, too. */
export function pathArguments({ path }: Route): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
