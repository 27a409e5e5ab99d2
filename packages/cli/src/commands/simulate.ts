import { createServer, type Server } from 'node:http';
import { CommerceError, providerNames } from '@commerce/core';
import { type SimulatedEvent, type Simulation, simulatedEvents, simulateNotification } from '@commerce/core/testing';
import { type Command, Option } from 'commander';
import { storeContext } from '../context.ts';
import { withCommerce } from '../database.ts';
import { forField } from '../input/flags.ts';
import { type Item, parseItems } from '../input/items.ts';
import { newCommand, storeOption } from '../input/options.ts';
import { print } from '../output/print.ts';
import { resolveId } from '../resolve.ts';
import { runningServer, type ServerOptions, serverOption } from '../serve/server-option.ts';
import { simulateCheckoutCommand } from './simulate-checkout.ts';

interface SimulateOptions extends ServerOptions {
  json?: boolean;
  store?: string;
  provider?: string;
  order?: string;
  items?: Item[];
  event: SimulatedEvent;
  duplicate?: boolean;
}

interface Answer {
  status: number;
  body: unknown;
}

export function simulateCommand(): Command {
  return newCommand('simulate', 'send a running server a provider notification, signed with the store’s secret', [
    'payments simulate --provider stripe --order ORD-1001',
    'payments simulate --provider stripe --items MUG:2,CUP:1 --duplicate',
  ])
    .addOption(storeOption())
    .addOption(new Option('--provider <name>', 'the payment provider').choices(providerNames))
    .addOption(
      forField(
        'orderId',
        new Option('--order <order>', 'the order to pay or refund: its id or number').conflicts('items'),
      ),
    )
    .addOption(
      new Option(
        '--items <sku:n>',
        'items to buy instead, such as MUG:2,CUP:1; the notification creates the order',
      ).argParser(parseItems),
    )
    .addOption(new Option('--event <what>', 'outcome of the payment').choices(simulatedEvents).default('succeeded'))
    .option('--duplicate', 'send it twice, as providers sometimes do')
    .addOption(serverOption())
    .action(async (options: SimulateOptions, command: Command) => {
      const { provider, order, items, event } = options;
      // Not required by the parser, which would require it for the subcommands, too.
      if (provider === undefined) command.error("error: required option '--provider <name>' not specified");
      if (!order && !items) command.error('error: --order or --items is required');
      const simulation = await withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        return simulateNotification(shop, {
          provider,
          event,
          ...(order === undefined ? {} : { orderId: await resolveId(shop, 'order', order) }),
          ...(items === undefined ? {} : { items }),
        });
      });
      const answers = await send(runningServer(options), simulation, options.duplicate ? 2 : 1);
      print(options, { answers }, () =>
        answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`).join('\n'),
      );
      if (answers.some(({ status }) => status !== 200)) process.exitCode = 1;
    })
    .addCommand(simulateCheckoutCommand());
}

async function send(server: string, { path, headers, body, stub }: Simulation, times: number): Promise<Answer[]> {
  const standIn = stub && (await startStub(stub));
  try {
    const answers: Answer[] = [];
    for (let i = 0; i < times; i++) {
      // The address can have a path, below which the service is mounted.
      const response = await fetch(server + path, { method: 'POST', headers, body }).catch((error: Error) => {
        throw Object.assign(new Error(`no server responds at ${server}; is \`commerce serve\` running there?`), {
          code: (error.cause as { code?: string } | undefined)?.code ?? 'ECONNREFUSED',
        });
      });
      answers.push({ status: response.status, body: await bodyOf(response, server + path) });
    }
    return answers;
  } finally {
    standIn?.close();
    standIn?.closeAllConnections();
  }
}

/** @throws CommerceError `unavailable` for an answer that is not the service's */
async function bodyOf(response: Response, address: string): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    const type = response.headers.get('content-type') ?? 'an unknown type';
    throw new CommerceError(
      'unavailable',
      `${address} answered ${response.status} with ${type}, not with JSON: --server must be the address of a running Commerce, with its path`,
    );
  }
}

/** Answers instead of the provider, at the address in the store's settings. */
function startStub({ base, answers }: NonNullable<Simulation['stub']>): Promise<Server> {
  const { hostname, port } = new URL(base);
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    request.resume();
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''), () => resolve(server));
  });
}
