import type { Commerce, Context } from '@commerce/core';
import type { SchemaName } from '@commerce/core/schemas';
import { Command, type Option } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, type OpenOptions, withCommerce } from '../database.ts';
import { confirm, requireConsent } from '../input/confirm.ts';
import { addFieldOptions, givenFields, type SpecialFields } from '../input/field-options.ts';
import { type OptionGroups, withGroups } from '../input/help-groups.ts';
import { type Examples, newCommand, storeOption, yesOption } from '../input/options.ts';
import { pairs, print } from '../output/print.ts';
import { type Kind, resolveFields, resolveId } from '../resolve.ts';
import { type Listing, listCommand } from './lists.ts';

export type Options = DatabaseOptions & { json?: boolean; store?: string; yes?: boolean };

/** Description of a resource for the command line; `products list|show|create|update|delete` come from it. */
export interface Resource<Item extends { id: string }> extends SpecialFields {
  /** The argument that names one of them. */
  kind: Kind;
  /** Name of the argument, such as `<product>`. */
  noun: string;
  /** Ways to name one, for the help. */
  names: string;
  listing: Listing<Item>;
  /** Name of an item in a question. */
  title(item: Item): string;
  show(shop: Context, id: string, options?: never): Promise<Item>;
  /** Options of `show`, in addition to the usual ones. */
  showOptions?(): Option[];
  /** Printed output for one item; every field by default. */
  describe?(item: Item, shop: Context): string | Promise<string>;
  create?: { schema: SchemaName; run(shop: Context, input: never): Promise<Item> };
  update?: { schema: SchemaName; run(shop: Context, id: string, input: never): Promise<Item> };
  delete?(shop: Context, id: string): Promise<void>;
  /** Input fields that hold ids of other things. */
  references?: Readonly<Record<string, Kind>>;
  /** Options of all its commands, in addition to the usual ones. */
  extend?(command: Command): Command;
  /** Groups of rarely needed fields, by their heading in the help of `create` and `update`. */
  groups?: OptionGroups;
  /** Settings for opening the database, from these options. */
  open?(options: never, command: Command): OpenOptions;
  examples: { list: Examples; show: Examples; create?: Examples; update?: Examples; delete?: Examples };
  texts: { list: string; show?: string; create?: string; update?: string; delete?: string };
}

/** A group with the commands of a resource. Options for fields are created when `create` or `update` is called. */
export function resourceCommand<Item extends { id: string }>(
  name: string,
  description: string,
  resource: Resource<Item>,
): Command {
  const group = new Command(name).description(description);
  const { kind, noun, names, examples, texts, references = {} } = resource;
  const printItem = async (options: Options, shop: Context, item: Item) => {
    const text = options.json ? '' : await (resource.describe?.(item, shop) ?? describeFields(item));
    print(options, { item }, () => text);
  };
  const argument = `<${noun}>`;

  const { extend = (command: Command) => command } = resource;
  const open = (options: Options, command: Command) => resource.open?.(options as never, command) ?? {};

  group.addCommand(extend(listCommand(texts.list, examples.list, resource.listing, { open })));
  const show = newCommand('show', texts.show ?? `show ${one(noun)}`, examples.show)
    .argument(argument, names)
    .addOption(storeOption())
    .action((text: string, options: Options, self: Command) => {
      const work = async (commerce: Commerce) => {
        const shop = await storeContext(commerce, options.store);
        await printItem(options, shop, await resource.show(shop, await resolveId(shop, kind, text), options as never));
      };
      return withCommerce(options, work, open(options, self));
    });
  for (const option of resource.showOptions?.() ?? []) show.addOption(option);
  group.addCommand(extend(show));
  const { create, update } = resource;
  if (create && examples.create) {
    const command = newCommand('create', texts.create ?? `create ${one(noun)}`, examples.create)
      .addOption(storeOption())
      .action(async (options: Options, self: Command) => {
        const given = await givenFields(self);
        const work = async (commerce: Commerce) => {
          const shop = await storeContext(commerce, options.store);
          await printItem(
            options,
            shop,
            await create.run(shop, (await resolveFields(shop, given, references)) as never),
          );
        };
        return withCommerce(options, work, open(options, self));
      });
    addFieldOptions(command, create.schema, resource);
    group.addCommand(extend(grouped(command, resource.groups)));
  }
  if (update && examples.update) {
    const command = newCommand('update', texts.update ?? `change fields of ${one(noun)}`, examples.update)
      .argument(argument, names)
      .addOption(storeOption())
      .action(async (text: string, options: Options, self: Command) => {
        const given = await givenFields(self);
        const work = async (commerce: Commerce) => {
          const shop = await storeContext(commerce, options.store);
          const id = await resolveId(shop, kind, text);
          await printItem(
            options,
            shop,
            await update.run(shop, id, (await resolveFields(shop, given, references)) as never),
          );
        };
        return withCommerce(options, work, open(options, self));
      });
    addFieldOptions(command, update.schema, resource);
    group.addCommand(extend(grouped(command, resource.groups)));
  }
  const remove = resource.delete;
  if (remove && examples.delete) {
    const work = async (shop: Context, item: Item) => {
      await remove(shop, item.id);
      return { deleted: item.id };
    };
    const about = texts.delete ?? `delete ${one(noun)}`;
    group.addCommand(extend(destructiveCommand('delete', about, examples.delete, resource, work)));
  }
  return group;
}

/** The groups that the input of this command has. */
function grouped(command: Command, groups: OptionGroups | undefined): Command {
  if (!groups) return command;
  const own = new Set(command.options.map(({ long }) => long));
  const entries = Object.entries(groups).map(([heading, flags]) => [heading, flags.filter((flag) => own.has(flag))]);
  return withGroups(command, Object.fromEntries(entries));
}

/** A noun with its article. */
function one(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

type Destructible<Item extends { id: string }> = Pick<
  Resource<Item>,
  'kind' | 'noun' | 'names' | 'title' | 'show' | 'open'
>;

/** An irreversible command on one item: asks first, or requires `--yes`. */
export function destructiveCommand<Item extends { id: string }>(
  name: string,
  description: string,
  calls: Examples,
  resource: Destructible<Item>,
  work: (shop: Context, item: Item) => Promise<object>,
  describe: (result: never) => string = ({ deleted }: { deleted: string }) => `deleted ${deleted}`,
): Command {
  const { kind, noun, names, title, show } = resource;
  return newCommand(name, description, calls)
    .argument(`<${noun}>`, names)
    .addOption(storeOption())
    .addOption(yesOption())
    .action((text: string, options: Options, command: Command) => {
      requireConsent(options, command);
      const run = async (commerce: Commerce) => {
        const shop = await storeContext(commerce, options.store);
        const item = await show(shop, await resolveId(shop, kind, text));
        await confirm(options, `${name} ${noun} ${title(item)}`);
        const result = await work(shop, item);
        print(options, result, () => describe(result as never));
      };
      return withCommerce(options, run, resource.open?.(options as never, command));
    });
}

/** Every non-empty field of an item, one a line. */
export function describeFields(item: object): string {
  const lines: Record<string, string | number | null> = {};
  for (const [field, value] of Object.entries(item)) {
    if (field === 'storeId') continue;
    lines[field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)] = textOf(value);
  }
  return pairs(lines);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((entry) => textOf(entry)).join(', ');
  if (typeof value === 'object') {
    const parts = Object.entries(value).filter(([, part]) => part !== null);
    return parts.length === 0 ? null : parts.map(([name, part]) => `${name}=${textOf(part)}`).join(' ');
  }
  return String(value);
}
