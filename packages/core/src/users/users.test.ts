import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { Authenticator } from '@commerce/test-support/harness/authenticator';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addPasskey,
  type Context,
  createAccount,
  createApiKey,
  createSignInCode,
  createUser,
  endOtherSessions,
  endSession,
  getOwnUser,
  getUser,
  listAuditLogs,
  listSessions,
  listUsers,
  newPasskeyOptions,
  openCommerce,
  passkeyOptions,
  type Role,
  removePasskey,
  removeUser,
  resetUser,
  roles,
  type SignInInput,
  scopes,
  setPassword,
  signIn,
  signOut,
  updateUser,
  whoAmI,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';
import { hashCost } from './password.ts';

const password = 'nine cups and a kettle';
const hours = 3_600_000;

/** A hash takes 0.3 s of a processor, on purpose. One test has the whole cost. */
const { N: wholeCost } = hashCost;
beforeAll(() => {
  hashCost.N = 2 ** 10;
});
afterAll(() => {
  hashCost.N = wholeCost;
});

forEachStorage('users', (database) => {
  const clock = fakeClock('2026-01-01T00:00:00.000Z');
  const commerce = useCommerce(database, { clock });
  const openShop = () => newShop(commerce());
  let addresses = 0;
  /** E-mails of the tests differ, because one e-mail can belong to users of several stores. */
  const newEmail = () => `person${++addresses}@shop.test`;

  const begin = async (input: SignInInput, address?: string) => {
    const begun = await signIn(commerce().engine, input, { address, agent: 'Firefox' });
    if ('stores' in begun) throw new Error('several stores');
    return begun;
  };
  const authenticated = async (shop: Context, token: string): Promise<Context> => {
    const identity = await commerce().sessions.authenticate(token);
    if (!identity) throw new Error('the session has ended');
    return { ...shop, store: identity.store, actor: identity.actor };
  };
  const enter = async (shop: Context, input: SignInInput) => authenticated(shop, (await begin(input)).token);

  /** A user who has signed in by the link of the invitation. */
  const join = async (shop: Context, role: Role, email = newEmail()) => {
    const { code, ...user } = await createUser(shop, { email, role });
    return { user, email, session: await enter(shop, { code }) };
  };
  const withPassword = async (shop: Context, role: Role, email = newEmail()) => {
    const joined = await join(shop, role, email);
    await setPassword(joined.session, { password });
    return joined;
  };
  const changesOf = async (shop: Context, action: string) =>
    (await listAuditLogs(shop, { action })).items.map(({ changes }) => changes);

  it('are invited by a link, which makes them active once', async () => {
    const shop = await openShop();
    const email = newEmail();
    const { code, expiresAt, ...user } = await createUser(shop, { email: ` ${email} `, name: 'Ada', role: 'reader' });
    expect(user).toEqual({
      id: user.id,
      email,
      name: 'Ada',
      role: 'reader',
      status: 'invited',
      passkeys: [],
      lastSignInAt: null,
      createdAt: new Date(clock.now()).toISOString(),
      updatedAt: new Date(clock.now()).toISOString(),
    });
    expect(expiresAt).toBe(new Date(clock.now() + 24 * hours).toISOString());
    const session = await enter(shop, { code });
    expect(await whoAmI(session)).toMatchObject({
      key: null,
      user: { id: user.id, email, name: 'Ada', role: 'reader', scopes: [...roles.reader] },
    });
    expect(await getUser(shop, user.id)).toMatchObject({
      status: 'active',
      lastSignInAt: new Date(clock.now()).toISOString(),
    });
    await expectDenied(commerce(), () => begin({ code }), { kind: 'unauthorized' });
    expect(await changesOf(shop, 'user.invited')).toEqual([{ email, name: 'Ada', role: 'reader' }]);
    expect(await changesOf(shop, 'user.signed_in')).toEqual([{ by: 'link', address: null }]);
  });

  it('have one of each e-mail in a store, in any case', async () => {
    const shop = await openShop();
    const { email } = await join(shop, 'reader');
    const taken = { kind: 'conflict', fields: ['email'] } as const;
    await expectDenied(commerce(), () => createUser(shop, { email: email.toUpperCase() }), taken);
    const other = await join(shop, 'reader');
    await expectDenied(commerce(), () => updateUser(shop, other.user.id, { email }), taken);
    expect((await listUsers(shop)).items.map((user) => user.email)).toEqual([email, other.email]);
    const another = await openShop();
    await expectDenied(commerce(), () => getUser(another, other.user.id), { kind: 'notFound' });
    expect((await createUser(another, { email })).email).toBe(email);
  });

  describe('roles', () => {
    it('are named sets of scopes', () => {
      expect(roles.owner).toEqual(scopes);
      expect(scopes.filter((scope) => !roles.manager.includes(scope))).toEqual([
        'apiKey.read',
        'apiKey.write',
        'apiKey.delete',
        'user.read',
        'user.write',
        'user.delete',
        'settings.write',
      ]);
      expect(roles.fulfilment).toEqual([
        'product.read',
        'order.read',
        'order.write',
        'order.delete',
        'customer.read',
        'category.read',
        'media.read',
      ]);
      expect(roles.reader).toEqual(
        scopes.filter((scope) => scope.endsWith('.read') && scope !== 'apiKey.read' && scope !== 'user.read'),
      );
    });

    it('are given by nobody who lacks one of their scopes, and guard those who have them', async () => {
      const shop = await openShop();
      const { user } = await join(shop, 'owner');
      const { id } = await createApiKey(shop, {
        name: 'People',
        scopes: ['user.write', 'user.delete', ...roles.reader],
      });
      const held = new Set([...roles.reader, 'user.write', 'user.delete'] as const);
      const less: Context = { ...shop, actor: { type: 'apiKey', id, scopes: held } };
      const denied = { kind: 'forbidden', message: /has scopes that the caller lacks: / } as const;
      for (const work of [
        () => createUser(less, { email: newEmail(), role: 'owner' }),
        () => createUser(less, { email: newEmail() }),
        () => updateUser(less, user.id, { name: 'x' }),
        () => resetUser(less, user.id),
        () => removeUser(less, user.id),
      ]) {
        await expectDenied(commerce(), work, denied);
      }
      const reader = await createUser(less, { email: newEmail(), role: 'reader' });
      await expectDenied(commerce(), () => updateUser(less, reader.id, { role: 'manager' }), denied);
    });

    it('take effect at once here, and within a second in every other process', async () => {
      const shop = await openShop();
      const { code, ...user } = await createUser(shop, { email: newEmail(), role: 'manager' });
      const { token } = await begin({ code });
      const other = await openCommerce({ storage: database.open(), clock });
      try {
        expect((await other.sessions.authenticate(token))?.actor.scopes.has('product.write')).toBe(true);
        await updateUser(shop, user.id, { role: 'reader' });
        expect((await commerce().sessions.authenticate(token))?.actor.scopes.has('product.write')).toBe(false);
        clock.advance(1000);
        expect((await other.sessions.authenticate(token))?.actor.scopes.has('product.write')).toBe(false);
        await updateUser(shop, user.id, { status: 'disabled' });
        expect(await commerce().sessions.authenticate(token)).toBeUndefined();
        clock.advance(1000);
        expect(await other.sessions.authenticate(token)).toBeUndefined();
      } finally {
        await other.close();
      }
    });

    it('leave one active owner, also when two are removed at once', async () => {
      const shop = await openShop();
      const { user } = await join(shop, 'owner');
      const last = { kind: 'conflict', message: /last active owner/ } as const;
      await createUser(shop, { email: newEmail(), role: 'owner' });
      for (const work of [
        () => removeUser(shop, user.id),
        () => updateUser(shop, user.id, { role: 'manager' }),
        () => updateUser(shop, user.id, { status: 'disabled' }),
      ]) {
        await expectDenied(commerce(), work, last);
      }
      const second = await join(shop, 'owner');
      const tried = await Promise.allSettled([user, second.user].map(({ id }) => removeUser(shop, id)));
      expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
  });

  describe('passwords', () => {
    it('sign in with the e-mail in any case, and are stored as a hash with its parameters', async () => {
      const shop = await openShop();
      const lowCost = hashCost.N;
      hashCost.N = wholeCost;
      const { email, user } = await withPassword(shop, 'manager');
      hashCost.N = lowCost;
      const session = await enter(shop, { email: ` ${email.toUpperCase()} `, password });
      expect(session.actor).toMatchObject({ type: 'user', id: user.id, session: { role: 'manager' } });
      const { person_id } = await commerce()
        .engine.storage.db.selectFrom('users')
        .select('person_id')
        .where('id', '=', user.id)
        .executeTakeFirstOrThrow();
      const { password: stored } = await commerce()
        .engine.storage.db.selectFrom('people')
        .select('password')
        .where('id', '=', person_id ?? '')
        .executeTakeFirstOrThrow();
      expect(stored).toMatch(/^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    });

    it('are refused if they are short, long, common, or the e-mail', async () => {
      const shop = await openShop();
      const { session, email } = await join(shop, 'reader', `ada.lovelace${++addresses}@shop.test`);
      for (const wrong of [
        'eleven-char',
        'x'.repeat(129),
        'password1234',
        'QWERTYUIOP123',
        ` ${email.toUpperCase()}`,
      ]) {
        const denied = { kind: 'validation', fields: ['password'] } as const;
        const quoted = await expectDenied(commerce(), () => setPassword(session, { password: wrong }), denied);
        expect(JSON.stringify(quoted ?? '')).not.toContain(wrong);
      }
      // Other code points of the same characters, and twelve of them.
      await setPassword(session, { password: 'ﬁve cups é' + 'x' });
      expect((await getOwnUser(session)).hasPassword).toBe(true);
      await enter(shop, { email, password: 'five cups e\u0301x' });
    });

    it('get the same refusal for an unknown e-mail, a disabled user, and a wrong password', async () => {
      const shop = await openShop();
      const { email, user } = await withPassword(shop, 'reader');
      const refusals: unknown[] = [];
      const fail = async (input: SignInInput) => refusals.push(await begin(input).catch((error) => String(error)));
      await fail({ email, password: 'another password' });
      await fail({ email: newEmail(), password });
      await updateUser(shop, user.id, { status: 'disabled' });
      await fail({ email, password });
      expect(new Set(refusals).size).toBe(1);
      expect(refusals[0]).toContain('the e-mail or the password is wrong, or the user is disabled');
      await expect.poll(() => changesOf(shop, 'user.sign_in_failed')).toEqual([{ address: null }, { address: null }]);
    });

    it('are refused for 15 minutes after five failures of an e-mail, even the right one; a link still works', async () => {
      const shop = await openShop();
      const { email, user } = await withPassword(shop, 'reader');
      // Setting the password counted as an attempt.
      clock.advance(15 * 60_000);
      const wrong = () => begin({ email, password: 'another password' });
      // Together, so that none knows of the others.
      const tried = await Promise.allSettled(Array.from({ length: 8 }, wrong));
      const kinds = tried.map((one) => (one.status === 'rejected' ? one.reason.kind : 'in'));
      expect(kinds.filter((kind) => kind === 'unauthorized')).toHaveLength(5);
      expect(kinds.filter((kind) => kind === 'rateLimited')).toHaveLength(3);
      await expect(begin({ email, password })).rejects.toMatchObject({
        kind: 'rateLimited',
        reason: 'tooManySignIns',
        about: String(15 * 60),
      });
      const { code } = await resetUser(shop, user.id);
      const session = await enter(shop, { code });
      clock.advance(15 * 60_000);
      await setPassword(session, { password });
      await begin({ email, password });
    });

    it('change with the present one, which ends all other sessions', async () => {
      const shop = await openShop();
      const { email, session } = await withPassword(shop, 'reader');
      const other = await begin({ email, password, keep: true });
      const next = 'twelve other cups';
      await expectDenied(commerce(), () => setPassword(session, { password: next }), {
        kind: 'validation',
        fields: ['current'],
      });
      await expect(setPassword(session, { password: next, current: 'no cups at all' })).rejects.toMatchObject({
        details: [{ field: 'current' }],
      });
      await setPassword(session, { password: next, current: password });
      expect(await commerce().sessions.authenticate(other.token)).toBeUndefined();
      expect((await listSessions(session)).items).toMatchObject([{ isCurrent: true }]);
      await expect(begin({ email, password })).rejects.toMatchObject({ kind: 'unauthorized' });
      await begin({ email, password: next });
    });
  });

  describe('a person of several stores', () => {
    it('has one password if the person sets the same, and chooses the store', async () => {
      const [shop, other] = [await openShop(), await openShop()];
      const { email } = await withPassword(shop, 'owner');
      const second = await withPassword(other, 'reader', email);
      const choice = await signIn(commerce().engine, { email, password });
      expect(choice).toEqual({
        stores: expect.arrayContaining([shop, other].map(({ store: { id, name } }) => ({ id, name }))),
      });
      const begun = await begin({ email, password, storeId: other.store.id });
      expect((await authenticated(other, begun.token)).actor.id).toBe(second.user.id);
      expect((await getOwnUser(second.session)).stores).toHaveLength(2);
      // A change holds for both.
      await setPassword(second.session, { password: 'a third set of cups', current: password });
      await expect(begin({ email, password, storeId: shop.store.id })).rejects.toMatchObject({ kind: 'unauthorized' });
      await begin({ email, password: 'a third set of cups', storeId: shop.store.id });
    });

    it('is not entered by a store that invites or resets the same e-mail', async () => {
      const [shop, stranger] = [await openShop(), await openShop()];
      const { email } = await withPassword(shop, 'owner');
      // The owner of the other store uses the link of the invitation, and sets a password.
      const own = 'the password of a stranger';
      const { code } = await createUser(stranger, { email, role: 'owner' });
      const session = await enter(stranger, { code });
      await setPassword(session, { password: own });
      const begun = await begin({ email, password: own });
      expect(begun.storeId).toBe(stranger.store.id);
      const users = await listUsers(stranger);
      const again = await enter(stranger, { code: (await resetUser(stranger, users.items[0]?.id ?? '')).code });
      await setPassword(again, { password: own });
      // The first store still has its own password, and no other.
      expect((await begin({ email, password })).storeId).toBe(shop.store.id);
      await expect(begin({ email, password: own, storeId: shop.store.id })).rejects.toMatchObject({
        kind: 'unauthorized',
      });
    });

    it('is not guessed any longer because another store has a password for the same e-mail', async () => {
      const [shop, stranger] = [await openShop(), await openShop()];
      const { email } = await withPassword(shop, 'owner');
      const own = 'the password of a stranger';
      const { code } = await createUser(stranger, { email, role: 'owner' });
      await setPassword(await enter(stranger, { code }), { password: own });
      const kinds: string[] = [];
      for (let turn = 0; turn < 4; turn++) {
        // A right password of the stranger's own person does not forget the wrong ones.
        for (const secret of ['a guessed password', own]) {
          kinds.push(
            await begin({ email, password: secret }).then(
              () => 'in',
              ({ kind }) => kind,
            ),
          );
        }
      }
      expect(kinds.filter((kind) => kind === 'unauthorized').length).toBeLessThanOrEqual(3);
      expect(kinds.at(-2)).toBe('rateLimited');
    });

    it('is not found out by guessing passwords in another store', async () => {
      const [shop, stranger] = [await openShop(), await openShop()];
      const { email } = await withPassword(shop, 'owner');
      const { code, id } = await createUser(stranger, { email, role: 'owner' });
      let session = await enter(stranger, { code });
      // The first password of the person counts, too: whether there was another one must not show.
      for (let guess = 0; guess < 4; guess++) {
        await setPassword(session, { password: `guess number ${guess}!` });
        session = await enter(stranger, { code: (await resetUser(stranger, id)).code });
      }
      await expect(setPassword(session, { password })).rejects.toMatchObject({ kind: 'rateLimited' });
    });
  });

  describe('the first link', () => {
    it('acts with every scope, and makes the first owner in the same session', async () => {
      const shop = await openShop();
      const { code } = await createSignInCode(shop);
      const { token } = await begin({ code });
      const session = await authenticated(shop, token);
      expect(await whoAmI(session)).toMatchObject({ user: { id: null, role: 'owner', scopes: [...scopes] } });
      await expectDenied(commerce(), () => getOwnUser(session), { kind: 'forbidden' });
      const email = newEmail();
      const user = await createAccount(session, { email, name: 'Ada', password });
      expect(user).toMatchObject({ email, role: 'owner', status: 'active', hasPassword: true });
      const now = await authenticated(shop, token);
      expect(now.actor).toMatchObject({ id: user.id, session: { role: 'owner' } });
      await expectDenied(commerce(), () => createAccount(now, { email: newEmail() }), { kind: 'forbidden' });
      // The old context is still one without a user.
      await expectDenied(commerce(), () => createAccount(session, { email: newEmail() }), { kind: 'conflict' });
      await begin({ email, password });
    });

    it('is created by no key and no user', async () => {
      const shop = await openShop();
      const { session } = await join(shop, 'owner');
      await expectDenied(commerce(), () => createSignInCode(session), { kind: 'forbidden' });
    });
  });

  describe('sessions', () => {
    it('end after 12 hours without use, or after 30 days if they are kept', async () => {
      const shop = await openShop();
      const { email } = await withPassword(shop, 'reader');
      const [short, kept] = [await begin({ email, password }), await begin({ email, password, keep: true })];
      const lives = async ({ token }: { token: string }) =>
        (await commerce().sessions.authenticate(token)) !== undefined;
      clock.advance(11 * hours);
      expect(await lives(short)).toBe(true);
      await commerce().sessions.flushUse();
      clock.advance(11 * hours);
      expect(await lives(short)).toBe(true);
      await commerce().sessions.flushUse();
      clock.advance(12 * hours);
      expect([await lives(short), await lives(kept)]).toEqual([false, true]);
      clock.advance(29 * 24 * hours);
      expect(await lives(kept)).toBe(false);
    });

    it('are listed and ended by their user, and by no other', async () => {
      const shop = await openShop();
      const { email, session } = await withPassword(shop, 'reader');
      const other = await join(shop, 'reader');
      const { token } = await begin({ email, password }, '192.0.2.7');
      const { items } = await listSessions(session);
      expect(items).toMatchObject([{ isCurrent: false, agent: 'Firefox', address: '192.0.2.7' }, { isCurrent: true }]);
      const id = items[0]?.id ?? '';
      await expectDenied(commerce(), () => endSession(other.session, id), { kind: 'notFound' });
      await endSession(session, id);
      expect(await commerce().sessions.authenticate(token)).toBeUndefined();
      const third = await begin({ email, password });
      await endOtherSessions(session);
      expect(await commerce().sessions.authenticate(third.token)).toBeUndefined();
      expect((await listSessions(session)).total).toBe(1);
    });

    it('end by signing out, and with their user', async () => {
      const shop = await openShop();
      const { email, user } = await withPassword(shop, 'reader');
      const [first, second] = [await begin({ email, password }), await begin({ email, password })];
      await signOut(commerce().engine, first.token);
      expect(await commerce().sessions.authenticate(first.token)).toBeUndefined();
      await removeUser(shop, user.id);
      expect(await commerce().sessions.authenticate(second.token)).toBeUndefined();
      await expect(begin({ email, password })).rejects.toMatchObject({ kind: 'unauthorized' });
      const { engine } = commerce();
      const left = await engine.storage.db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute();
      expect(left).toEqual([]);
    });

    it.each(['', 'x', 'A'.repeat(43)])('are not made of %j', async (token) => {
      await openShop();
      expect(await commerce().sessions.authenticate(token)).toBeUndefined();
    });
  });

  describe('passkeys', () => {
    const create = async (session: Context, device: Authenticator, name = 'Laptop') =>
      addPasskey(session, { name, response: device.create((await newPasskeyOptions(session)) as never) });
    const answer = async (device: Authenticator) => device.get(await passkeyOptions(commerce().engine));

    it('sign in without a password and without an e-mail', async () => {
      const shop = await openShop();
      const { session, user } = await join(shop, 'manager');
      const device = new Authenticator();
      const added = await create(session, device);
      expect(added).toMatchObject({ name: 'Laptop', lastUsedAt: null });
      const entered = await enter(shop, { passkey: await answer(device) });
      expect(entered.actor.id).toBe(user.id);
      expect((await getUser(shop, user.id)).passkeys).toEqual([
        { ...added, lastUsedAt: new Date(clock.now()).toISOString() },
      ]);
      await removePasskey(session, added.id);
      await expect(enter(shop, { passkey: await answer(device) })).rejects.toMatchObject({ kind: 'unauthorized' });
      await expectDenied(commerce(), () => removePasskey(session, added.id), { kind: 'notFound' });
    });

    it('are refused for another host, another page, a person who was not verified, and a used challenge', async () => {
      const shop = await openShop();
      const { session } = await join(shop, 'manager');
      const device = new Authenticator();
      for (const wrong of [new Authenticator('evil.test'), new Authenticator('localhost', 'https://evil.test')]) {
        await expect(create(session, wrong)).rejects.toMatchObject({ details: [{ field: 'response' }] });
      }
      await create(session, device);
      await expect(create(session, device)).rejects.toMatchObject({ kind: 'conflict' });
      const used = await answer(device);
      await enter(shop, { passkey: used });
      device.flags = 1;
      const unverified = await answer(device);
      const stranger = await answer(new Authenticator());
      for (const passkey of [used, unverified, stranger, {}, { id: 7 }]) {
        await expect(begin({ passkey })).rejects.toMatchObject({ kind: 'unauthorized' });
      }
      device.flags = 5;
      const late = await answer(device);
      clock.advance(5 * 60_000);
      await expect(begin({ passkey: late })).rejects.toMatchObject({ kind: 'unauthorized' });
    });
  });
});
