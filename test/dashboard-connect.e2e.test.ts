import { configureProvider, deletePaymentProvider } from '@commerce/core';
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
