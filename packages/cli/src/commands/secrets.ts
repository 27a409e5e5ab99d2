import { CommerceError, rotateSecrets } from '@commerce/core';
import { Command } from 'commander';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand } from '../input/options.ts';
import { pairs, print } from '../output/print.ts';

export function secretsCommand(): Command {
  return new Command('secrets')
    .description('encrypt the secrets of payment providers and webhooks in the database')
    .addCommand(
      newCommand(
        'rotate',
        'encrypt them with COMMERCE_SECRET_KEY: those in the clear, and those of COMMERCE_SECRET_KEY_PREVIOUS',
        ['secrets rotate', 'secrets rotate --json'],
      ).action((options: DatabaseOptions & { json?: boolean }) =>
        withCommerce(options, async (commerce) => {
          if (!process.env.COMMERCE_SECRET_KEY) {
            throw new CommerceError(
              'validation',
              'set COMMERCE_SECRET_KEY to the new key, and COMMERCE_SECRET_KEY_PREVIOUS to the old one where there is one',
            );
          }
          const report = await rotateSecrets(commerce.engine);
          const said = ({ total, sealed }: { total: number; sealed: number }) =>
            `${sealed} encrypted anew, ${total - sealed} were already`;
          print(options, report, () =>
            pairs({ 'payment providers': said(report.paymentProviders), webhooks: said(report.webhooks) }),
          );
        }),
      ),
    );
}
