import { CommerceError, rotateSecrets } from '@commerce/core';
import { Command } from 'commander';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand } from '../input/options.ts';
import { pairs, print } from '../output/print.ts';

export function secretsCommand(): Command {
  return new Command('secrets')
    .description('encrypt the secrets of payment providers, webhooks and mail servers in the database')
    .addCommand(
      newCommand(
        'rotate',
        'encrypt unencrypted secrets, and secrets under COMMERCE_SECRET_KEY_PREVIOUS, with COMMERCE_SECRET_KEY',
        ['secrets rotate', 'secrets rotate --json'],
      ).action((options: DatabaseOptions & { json?: boolean }) =>
        withCommerce(options, async (commerce) => {
          if (!process.env.COMMERCE_SECRET_KEY) {
            throw new CommerceError(
              'validation',
              'set COMMERCE_SECRET_KEY to the new key, and COMMERCE_SECRET_KEY_PREVIOUS to the old key, if any',
            );
          }
          const report = await rotateSecrets(commerce.engine);
          const said = ({ total, sealed }: { total: number; sealed: number }) =>
            `${sealed} encrypted, ${total - sealed} already up to date`;
          print(options, report, () =>
            pairs({
              'payment providers': said(report.paymentProviders),
              webhooks: said(report.webhooks),
              'mail servers': said(report.mailServers),
            }),
          );
        }),
      ),
    );
}
