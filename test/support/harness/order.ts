import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, the longest first. Begun last, one of them would keep one core busy while the others are idle. Files that
 * mostly wait alternate with files that compute, for the same reason. The runner prints the slowest files of each run; an outdated order
 * only costs time.
 */
const slow = [
  'test/checkouts.faults.test.ts',
  'test/storefront.e2e.test.ts',
  'test/balancers.test.ts',
  'test/upgrade.test.ts',
  'test/dashboard-goods.e2e.test.ts',
  'test/media.test.ts',
  'test/crash.test.ts',
  'test/fuzz.endless.test.ts',
  'test/races.test.ts',
  'packages/server/src/edge/hostile.test.ts',
  'test/dashboard-desk.e2e.test.ts',
  'test/blocks.docs.test.ts',
  'test/dashboard.e2e.test.ts',
  'packages/core/src/deliveries/hostile.test.ts',
  'test/matrix.test.ts',
  'test/webhooks.kill.test.ts',
  'test/secrets.test.ts',
  'packages/core/src/sales/notifications/paypal-verification.test.ts',
  'test/workers.test.ts',
  'test/fuzz.test.ts',
  'packages/core/src/stores/rate-limits.test.ts',
  'test/payments.cli.test.ts',
  'test/replicas.test.ts',
  'test/transfer.cli.test.ts',
  'test/checkouts.kill.test.ts',
  'test/reference.test.ts',
  'test/idempotency.races.test.ts',
  'packages/core/src/deliveries/deliveries.test.ts',
  'test/workers.life.test.ts',
  'test/cli.test.ts',
  'test/pipelining.test.ts',
  'test/backup.cli.test.ts',
  'test/first-run.cli.test.ts',
  'packages/server/src/service/readiness.test.ts',
  'test/webhooks.cli.test.ts',
  'test/orders.cli.test.ts',
  'test/money.model.test.ts',
  'packages/core/src/deliveries/fairness.test.ts',
  'test/counts.kill.test.ts',
  'packages/server/src/routes/imports.test.ts',
  'packages/core/src/media/images.test.ts',
  'packages/core/src/storage/bounds.test.ts',
  'packages/core/src/sales/settle/permutations.test.ts',
  'test/shop.cli.test.ts',
  'test/shop-input.cli.test.ts',
  'packages/server/src/edge/pace.test.ts',
  'test/sharding.test.ts',
  'test/workers.kill.test.ts',
  'test/catalogue.races.test.ts',
  'packages/core/src/providers/checkout-page.test.ts',
  'packages/core/src/transfer/hostile.test.ts',
  'test/order-mail.test.ts',
  'test/regular-expressions.test.ts',
  'test/payments-secrets.cli.test.ts',
  'test/packages.test.ts',
];

/** Begins with the files that take longest. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = slow.findIndex((file) => moduleId.replaceAll('\\', '/').endsWith(`/${file}`));
      return at === -1 ? slow.length : at;
    };
    const byName = (a: TestSpecification, b: TestSpecification) => (a.moduleId < b.moduleId ? -1 : 1);
    return [...files].sort((a, b) => place(a) - place(b) || byName(a, b));
  }
}
