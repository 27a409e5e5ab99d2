import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import type { DisputeStep } from './disputes.ts';
import type { Sent } from './notifications.ts';

export type ProviderName = 'stripe' | 'paypal' | 'square';

/** A call of a provider's API, as the stub received it. */
export interface StubRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface StubAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Receiver of an account's notifications: an address, or a function that answers the status. */
export type Target = string | ((sent: Sent) => Promise<number>);

/** A notification to be sent. */
export interface Told {
  target: Target;
  event: string;
  sent: Sent;
}

/** Actions of a buyer on a page. */
export const buyerActions = ['pay', 'decline', 'cancel', 'later'] as const;
export type BuyerAction = (typeof buyerActions)[number];

/** A page as the buyer sees it. Texts are plain; escape them before showing them as HTML. */
export interface BuyerPage {
  provider: string;
  title: string;
  lines: { name: string; amount: string }[];
  total: string;
  /** False once it is paid or has ended. */
  isOpen: boolean;
  /** True on an open page if the buyer can pay with a method whose money comes later; on an ended one while that money is under way. */
  isDelayed?: boolean;
  /** Result of what the buyer did before. */
  message: string | null;
}

/** Result of a buyer's action. */
export interface Acted {
  /** Where the buyer is sent; null leaves the buyer on the page. */
  location: string | null;
  tell: Told[];
}

/** A page in the provider's own books. */
export interface BookEntry {
  page: string;
  /** Id of the payment that took the page's money; null before. */
  payment: string | null;
  /** Amount of the page in minor units of its currency, in capitals. */
  amount: bigint;
  currency: string;
}

/** What becomes of a refund: made at once, or decided later. */
export type RefundPlan = 'succeeded' | 'pending';

/** A refund in the provider's own books. */
export interface RefundEntry {
  refund: string;
  payment: string;
  /** In minor units of the payment's currency. */
  amount: bigint;
  status: 'pending' | 'succeeded' | 'failed';
}

/** Effects of a call. */
export interface Answered {
  answer: StubAnswer;
  tell?: Told[];
  /** Id of the page that the call created. */
  opened?: string;
}

/** The part of the stub that plays one provider. Works only on its own memory; times are in milliseconds. */
export interface StubPart {
  /** Name of the API's operation; null for a path that the provider does not have. */
  operationOf(method: string, path: string): string | null;
  /** @throws Refused */
  answer(operation: string, request: StubRequest, now: number): Answered;
  /** Called when a creation was answered otherwise than `answer` said, if the provider repeats that answer. */
  replaceAnswer?(request: StubRequest, answer: StubAnswer): void;
  page(id: string, now: number): BuyerPage | null;
  act(id: string, action: BuyerAction, now: number): Acted;
  /** Takes a step of the dispute about the payment of a page; nothing for a page that was not paid. */
  dispute(page: string, step: DisputeStep, now: number): Told[];
  /** Every page that was created, the oldest first. */
  books(): BookEntry[];
  /** What becomes of the next refunds that are asked for; by default, they succeed. */
  planRefunds(...plans: RefundPlan[]): void;
  /** Every refund that was made, the oldest first. */
  refunds(): RefundEntry[];
  /** Decides a refund, or lets one fail that had succeeded. */
  decideRefund(id: string, status: 'succeeded' | 'failed', now: number): Told[];
  /** Events that happen as time passes. */
  tick(now: number): Told[];
}

/** An answer that refuses a call, in the provider's own form. */
export class Refused extends Error {
  constructor(readonly answer: StubAnswer) {
    super(`refused with ${answer.status}`);
  }
}

/** The first difference between a value and a schema. */
export interface Fault {
  kind: 'unknown' | 'missing' | 'invalid';
  path: string[];
  value: unknown;
  /** Zod's code, such as `too_big`, and its format, such as `email`. */
  code: string;
}

export function faultIn(schema: z.ZodType, value: unknown): Fault | null {
  const result = schema.safeParse(value);
  if (result.success) return null;
  const [issue] = result.error.issues;
  const path = issue?.path.map(String) ?? [];
  if (issue?.code === 'unrecognized_keys') {
    return { kind: 'unknown', path: [...path, issue.keys[0] ?? ''], value: undefined, code: issue.code };
  }
  const found = path.reduce<unknown>((here, step) => (here as Record<string, unknown> | undefined)?.[step], value);
  const format = issue?.code === 'invalid_format' ? issue.format : '';
  return { kind: found === undefined ? 'missing' : 'invalid', path, value: found, code: format || (issue?.code ?? '') };
}

/** Most items that a memory keeps; the oldest is dropped first. */
const maxKept = 10_000;

export function remember<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  memory.set(key, value);
  const [oldest] = memory.keys();
  if (memory.size > maxKept && oldest !== undefined) memory.delete(oldest);
}
