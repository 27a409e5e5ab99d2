import { configureProvider, deletePaymentProvider, getPaymentProvider } from '@commerce/core';
import { fakeClock, type RunningStub, startProviderStub } from '@commerce/core/testing';
import { openAt, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { axeFindings, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';

forOneStorage('the connection of a provider in the dashboard', 'sqlite', (database) => {
  const clock = fakeClock(new Date().toISOString());
  const at = useDashboard(database, { clock, publicUrl: 'https://api.example' });
  let stub: RunningStub;
  beforeAll(async () => {
    stub = await startProviderStub({ clock, retryDelays: [], ticks: false });
  });
  afterAll(() => stub.close());

  it('shows whether the provider reports, and repairs it', async () => {
    const { shop } = at();
    await configureProvider(shop, 'stripe', stub.account('stripe', async () => 200) as never);
    const { page, faults } = await openAt(at(), 'payments/providers/stripe');
    const section = page.getByRole('region', { name: 'Connection' });
    await section.getByText('Not connected', { exact: true }).waitFor();
    expect(await axeFindings(page, ['target-size'])).toEqual([]);
    await section.getByRole('button', { name: 'Repair' }).click();
    await section.getByText('Connected', { exact: true }).waitFor();
    expect(await section.getByRole('button', { name: 'Repair' }).count()).toBe(0);
    // The ways to pay on its pages, also those that are paid days later.
    const ways = page.getByRole('region', { name: 'Ways to pay on the page of Stripe' });
    await ways.getByLabel(/iDEAL \(Netherlands\)/).check();
    await ways.getByLabel(/Direct debit \(SEPA\)/).check();
    await ways.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The ways to pay are saved.').waitFor();
    expect(await page.getByText('You have unsaved changes').count()).toBe(0);
    expect((await getPaymentProvider(shop, 'stripe')).settings).toMatchObject({
      methods: ['card', 'link', 'ideal', 'sepa_debit'],
      allowDelayed: true,
    });
    expect(await widerBy(page)).toBe(0);
    stub.fault('stripe.endpoints', { status: 500 }, { status: 500 });
    await section.getByRole('button', { name: 'Check again' }).click();
    await section.locator('.badge').waitFor();
    expect(faults).toEqual([]);
    await deletePaymentProvider(shop, 'stripe');
  });

  it('asks for the key alone, and says what it may do', async () => {
    const { page, faults } = await openAt(at(), 'payments/providers/stripe');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Connect Stripe' }).click();
    const layer = page.getByRole('dialog');
    await layer.getByText('What the key may do').click();
    await layer.getByText(/Charges and Refunds/).waitFor();
    expect(await layer.locator('input').count()).toBe(1);
    expect([await axeFindings(page, ['target-size']), await widerBy(page)]).toEqual([[], 0]);
    await layer.getByRole('button', { name: 'Connect Stripe' }).click();
    await layer.locator('[aria-invalid="true"]').waitFor();
    expect(faults).toEqual([]);
  });
});
