import { useSelling } from '@commerce/test-support/fixtures/selling';
import { type MailServer, startMailServer } from '@commerce/test-support/harness/mail-server';
import { readPdf } from '@commerce/test-support/harness/pdf-text';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCheckout, createFulfilment, recordPayment, refundOrder, updateOrder } from '../../index.ts';

const seller = { name: 'Tea & Co Ltd', address: '12 St James Square', email: 'hello@shop.test' };

forEachStorage('mails with invoices', (database) => {
  const { clock, commerce, openShop } = useSelling(database, { smtpAllow: ['127.0.0.0/8'] });
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server?.close());

  it('have the invoice with the confirmation, and credit notes with the mails of refund and cancellation', async () => {
    const paymentMethods = [
      { id: 'transfer', name: 'Transfer', kind: 'transfer' as const },
      { id: 'bill', name: 'Invoice', kind: 'invoice' as const },
    ];
    const { shop, input } = await openShop([], {
      settings: {
        ...{ seller, manualPayments: true, invoices: { enabled: true }, paymentMethods },
        mail: { from: 'shop@shop.example', smtp: server.smtp },
      },
    });
    const sent = async () => {
      await commerce().sendDueMails();
      // What comes next is another moment.
      clock.advance(1000);
      return server.arrived.splice(0).map(({ mail }) => ({
        subject: mail.subject,
        files: mail.attachments.map(({ filename, mimeType, content }) => {
          if (mimeType === 'application/pdf')
            expect(readPdf(new Uint8Array(content as ArrayBuffer)).pages[0]).toContain('Tea & Co');
          return `${filename} ${mimeType}`;
        }),
      }));
    };
    const { orderId, total } = await createCheckout(shop, { ...input(), paymentMethodId: 'transfer' });
    expect(await sent()).toMatchObject([{ files: [] }]);
    await recordPayment(shop, orderId, { method: 'transfer', amount: total });
    expect(await sent()).toMatchObject([{ files: ['INV-2026-0001.pdf application/pdf'] }]);
    await createFulfilment(shop, orderId);
    expect(await sent()).toMatchObject([{ files: [] }]);
    await refundOrder(shop, orderId, { amount: '1.00' });
    expect(await sent()).toMatchObject([{ files: ['CN-2026-0001.pdf application/pdf'] }]);

    const unpaid = await createCheckout(shop, { ...input(), paymentMethodId: 'bill' });
    expect(await sent()).toMatchObject([{ files: [] }]);
    await createFulfilment(shop, unpaid.orderId);
    expect(await sent()).toMatchObject([{ files: ['INV-2026-0002.pdf application/pdf'] }]);
    await updateOrder(shop, unpaid.orderId, { status: 'cancelled' });
    expect(await sent()).toMatchObject([{ files: ['CN-2026-0002.pdf application/pdf'] }]);
  });
});
