import { signStripe } from '@commerce/core/testing';

/**
 * A signed `payment_intent.succeeded` with every field of a real one, printed as Stripe prints it: about 2.5 kB.
 * @param order id and total of the order that is paid
 */
export function signedPayment({ id, total }, { secret, currency }) {
  const unique = id.replaceAll('-', '').slice(-24);
  const amount = Math.round(Number(total) * 100);
  const event = {
    id: `evt_${unique}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: Math.floor(Date.now() / 1000),
    data: {
      object: {
        id: `pi_${unique}`,
        object: 'payment_intent',
        allowed_payment_method_types: null,
        amount,
        amount_capturable: 0,
        amount_details: { tip: {} },
        amount_received: amount,
        application: null,
        application_fee_amount: null,
        automatic_payment_methods: { allow_redirects: 'always', enabled: true },
        canceled_at: null,
        cancellation_reason: null,
        capture_method: 'automatic_async',
        client_secret: `pi_${unique}_secret_benchmarkBenchmark01`,
        confirmation_method: 'automatic',
        created: Math.floor(Date.now() / 1000) - 5,
        currency: currency.toLowerCase(),
        customer: null,
        customer_account: null,
        description: null,
        excluded_payment_method_types: null,
        last_payment_error: null,
        latest_charge: `ch_${unique}`,
        livemode: false,
        managed_payments: null,
        metadata: { order_id: id },
        next_action: null,
        on_behalf_of: null,
        payment_method: `pm_${unique}`,
        payment_method_configuration_details: { id: 'pmc_1SBenchmarkAAAAAAAAAAAAA', parent: null },
        payment_method_options: {
          card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
        },
        payment_method_types: ['card'],
        payment_record: null,
        processing: null,
        receipt_email: 'buyer@example.com',
        review: null,
        setup_future_usage: null,
        shipping: {
          address: {
            city: 'Berlin',
            country: 'DE',
            line1: 'Karl-Marx-Allee 1',
            line2: null,
            postal_code: '10178',
            state: null,
          },
          carrier: null,
          name: 'Ada Lovelace',
          phone: null,
          tracking_number: null,
        },
        source: null,
        statement_descriptor: null,
        statement_descriptor_suffix: null,
        status: 'succeeded',
        transfer_data: null,
        transfer_group: null,
      },
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: `req_${unique.slice(0, 14)}`, idempotency_key: id },
    type: 'payment_intent.succeeded',
  };
  return signStripe(JSON.stringify(event, null, 2), secret, Date.now());
}
