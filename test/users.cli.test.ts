import { openCommerce, signIn } from '@commerce/core';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { commerce, commerceJson } from '@commerce/test-support/harness/processes';
import { forOneStorage, openStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';

forOneStorage('commerce users', 'sqlite', (database) => {
  const db = ['--db', database.address];
  const users = (...args: string[]) => commerceJson(['users', ...args, ...db]);
  const email = 'ada@shop.test';

  it('invites, lists, changes, resets and removes people by their e-mail', async () => {
    await initShop(database.address);
    const { item: invited } = await users('add', email, '--role', 'owner', '--name', 'Ada');
    expect(invited).toMatchObject({ email, name: 'Ada', role: 'owner', status: 'invited' });
    // No service runs, so that the command cannot know where the link leads.
    expect(invited.url).toBeUndefined();
    const opened = await openCommerce({ storage: openStorage(database.address) });
    try {
      expect(await signIn(opened.engine, { code: invited.code })).toMatchObject({ token: expect.any(String) });
    } finally {
      await opened.close();
    }
    const listed = await commerce(['users', 'list', ...db]);
    expect(listed.stdout).toMatch(/ada@shop\.test +Ada +owner +active +0 /);
    const { item: renamed } = await users('update', 'ADA@shop.test', '--name', 'Ada Lovelace');
    expect(renamed).toMatchObject({ name: 'Ada Lovelace', role: 'owner' });
    const reset = await users('reset', email, '--public-url', 'https://shop.example');
    expect(reset.item.url).toBe(`https://shop.example/dashboard#code=${reset.item.code}`);
    const last = await commerce(['users', 'remove', email, '--yes', ...db]);
    expect(last.code).toBe(1);
    expect(last.stderr).toContain('this is the last active owner of the store');
    await users('add', 'bob@shop.test');
    expect(await users('remove', 'bob@shop.test', '--yes')).toEqual({ removed: expect.any(String) });
    expect((await users('list')).total).toBe(1);
  });

  it('names what is wrong', async () => {
    const wrong = async (...args: string[]) => (await commerce(['users', ...args, ...db])).stderr;
    expect(await wrong('add', 'nobody')).toContain('email: must be an e-mail address, not "nobody"');
    expect(await wrong('add', 'a@b.test', '--role', 'king')).toContain('owner, manager, fulfilment, reader');
    expect(await wrong('update', email)).toContain('nothing to change: give --role');
    expect(await wrong('reset', 'bob@shop.test')).toMatch(/no user .*bob@shop\.test/);
  });
});
