import {
  type Commerce,
  CommerceError,
  exchangeCode,
  keptSeconds,
  maxUnverifiedDepth,
  passkeyHost,
  passkeyOptions,
  type SignedIn,
  type SignInInput,
  type StoreChoice,
  signIn,
  signOut,
} from '@commerce/core';
import { readJson } from './bodies/input.ts';
import { readJsonStrictly, refuseUnknownQuery } from './bodies/strict.ts';
import type { Answer, AppRequest, Area, Call } from './http.ts';
import { onlyAllows } from './methods.ts';
import { AddressLimit } from './request/address-limits.ts';
import { clientAddress } from './request/origin.ts';
import type { SessionCookie } from './request/session-cookie.ts';

/** Failed sign-ins by links and passkeys per minute that one network address is allowed; passwords have a limit of their own. */
const maxFailures = 20;
/** Challenges for passkeys per minute that one network address is given. */
const maxChallenges = 20;

/** Begins and ends the sessions of users. Answers a program with a key instead, which has only a code. */
export class SignIns implements Area {
  readonly canBeStrict = true;
  readonly #commerce: Commerce;
  readonly #cookie: SessionCookie;
  readonly #trustProxy: boolean;
  readonly #failures = new AddressLimit(maxFailures);
  readonly #challenges = new AddressLimit(maxChallenges);
  readonly #pages: Record<string, Partial<Record<string, (call: Call) => Promise<Answer>>>> = {
    '/dashboard/sign-in': { GET: (call) => this.#state(call), POST: (call) => this.#signIn(call) },
    '/dashboard/passkey-options': { POST: (call) => this.#passkeyOptions(call) },
    '/dashboard/sign-out': { POST: (call) => this.#signOut(call) },
  };

  constructor(commerce: Commerce, cookie: SessionCookie, trustProxy: boolean) {
    this.#commerce = commerce;
    this.#cookie = cookie;
    this.#trustProxy = trustProxy;
  }

  owns(path: string): boolean {
    return Object.hasOwn(this.#pages, path);
  }

  async answer(call: Call): Promise<Answer> {
    const { request, path, facts } = call;
    facts.route = path;
    const methods = this.#pages[path] ?? {};
    const run = methods[request.method];
    if (!run) throw onlyAllows(request, facts, Object.keys(methods).join(', '));
    if (call.isStrict) await refuseUnknownQuery(undefined, call.search);
    return run(call);
  }

  /** Whether the browser is signed in, and how it can sign in. */
  async #state({ request, facts }: Call): Promise<Answer> {
    const token = this.#cookie.tokenOf(request);
    const identity = token === undefined ? undefined : await this.#commerce.sessions.authenticate(token);
    if (identity) facts.storeId = identity.store.id;
    return answered(200, {
      item: {
        storeId: identity?.store.id ?? null,
        canKeepSessions: this.#cookie.canKeep(request),
        passkeyHost: passkeyHost(this.#commerce.engine) ?? null,
      },
    });
  }

  async #signIn(call: Call): Promise<Answer> {
    const { request, requestId, facts, isStrict } = call;
    const { engine } = this.#commerce;
    const address = clientAddress(request, this.#trustProxy);
    this.#admit(this.#failures.wait(address, engine.clock.now()), `${maxFailures} failed sign-ins a minute`, facts);
    const limits = { max: 8192, maxDepth: maxUnverifiedDepth };
    const { value } = await (isStrict ? readJsonStrictly(request, 'SignInInput', limits) : readJson(request, limits));
    const input = (value ?? {}) as SignInInput;
    const isSession = this.#cookie.isOfDashboard(request) && this.#cookie.canKeep(request);
    if (!isSession && typeof input.code !== 'string') throw noSession(this.#cookie.isOfDashboard(request));
    try {
      if (!isSession) return await this.#key(input.code as string, address, call);
      const agent = request.headers['user-agent'];
      const begun = await signIn(engine, input, { requestId, address, agent });
      return this.#begun(begun, request, facts);
    } catch (error) {
      if (!(error instanceof CommerceError)) throw error;
      const isPassword = input.code === undefined && input.passkey === undefined;
      if (error.kind === 'unauthorized' && !isPassword) this.#failures.take(address, engine.clock.now());
      if (error.reason === 'tooManySignIns') facts.headers = { ...facts.headers, 'Retry-After': error.about ?? '60' };
      throw error;
    }
  }

  #begun(begun: SignedIn | StoreChoice, request: AppRequest, facts: Call['facts']): Answer {
    if ('stores' in begun) return answered(200, { choose: begun.stores });
    const { storeId, token, isKept } = begun;
    facts.storeId = storeId;
    const cookie = this.#cookie.set(request, token, isKept ? keptSeconds : undefined);
    return answered(201, { item: { storeId } }, { 'Set-Cookie': cookie });
  }

  /** The key for a code, for a program, and for an address at which a browser keeps no secure cookie. */
  async #key(code: string, address: string | undefined, { requestId, facts }: Call): Promise<Answer> {
    const item = await exchangeCode(this.#commerce.engine, { code }, requestId, address);
    facts.storeId = item.storeId;
    facts.keyPrefix = item.prefix;
    return answered(201, { item });
  }

  async #passkeyOptions({ request, facts }: Call): Promise<Answer> {
    const { engine } = this.#commerce;
    const address = clientAddress(request, this.#trustProxy);
    this.#admit(this.#challenges.take(address, engine.clock.now()), `${maxChallenges} challenges a minute`, facts);
    return answered(200, { item: await passkeyOptions(engine) });
  }

  async #signOut({ request }: Call): Promise<Answer> {
    if (!this.#cookie.isOfDashboard(request)) {
      throw new CommerceError('forbidden', 'only a page of the dashboard signs out');
    }
    const token = this.#cookie.tokenOf(request);
    if (token !== undefined) await signOut(this.#commerce.engine, token);
    return { status: 204, headers: { 'Cache-Control': 'no-store', 'Set-Cookie': this.#cookie.clear(request) } };
  }

  /** @throws CommerceError `rateLimited` if there are seconds to wait */
  #admit(wait: number, limit: string, facts: Call['facts']): void {
    if (wait === 0) return;
    facts.headers = { ...facts.headers, 'Retry-After': String(wait) };
    throw new CommerceError('rateLimited', `the limit for one network address is ${limit}; try again in ${wait} s`);
  }
}

function answered(status: 200 | 201, body: object, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'Cache-Control': 'no-store', ...headers }, body: JSON.stringify(body) };
}

function noSession(isDashboard: boolean): CommerceError {
  return isDashboard
    ? new CommerceError(
        'conflict',
        'people sign in at an https address, or at http://localhost; elsewhere, use an API key or a link of `commerce dashboard`',
      )
    : new CommerceError(
        'validation',
        'code: is required; an e-mail with its password, or a passkey, signs in to the dashboard only',
        { details: [{ field: 'code', reason: 'is required' }] },
      );
}
