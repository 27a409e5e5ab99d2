import {
  createDiscount,
  type Discount,
  deleteDiscount,
  getDiscount,
  listDiscounts,
  updateDiscount,
} from '@commerce/core';
import type { Command } from 'commander';
import { type Resource, resourceCommand } from '../../resource/resource.ts';

const discounts: Resource<Discount> = {
  kind: 'discount',
  noun: 'discount',
  names: 'its code or id',
  listing: {
    item: 'Discount',
    filters: { code: { flags: '--code <code>', description: 'only the discount with this code, case-insensitive' } },
    columns: {
      code: (discount) => discount.code,
      value: (discount) => (discount.type === 'percent' ? `${discount.value} %` : discount.value),
      from: (discount) => discount.minSubtotal,
      used: (discount) =>
        discount.usageLimit === null ? String(discount.used) : `${discount.used} of ${discount.usageLimit}`,
      starts: (discount) => discount.startsAt,
      ends: (discount) => discount.endsAt,
      id: (discount) => discount.id,
    },
    read: listDiscounts,
  },
  title: (discount) => discount.code,
  show: getDiscount,
  create: { schema: 'DiscountInput', run: createDiscount },
  update: { schema: 'DiscountChanges', run: updateDiscount },
  delete: deleteDiscount,
  texts: {
    list: 'list the discount codes of a store, newest first',
    delete: 'delete a discount code; orders that used it keep their price',
  },
  examples: {
    list: ['discounts list', 'discounts list --code welcome10 --json'],
    show: ['discounts show WELCOME10', 'discounts show WELCOME10 --json'],
    create: [
      'discounts create --code WELCOME10 --type percent --value 10 --usage-limit 100',
      'discounts create --code FIVE --type amount --value 5.00 --min-subtotal 30.00 --ends-at 2030-01-31T00:00:00Z',
    ],
    update: ['discounts update WELCOME10 --ends-at 2030-01-31T00:00:00Z', 'discounts update FIVE --clear minSubtotal'],
    delete: ['discounts delete WELCOME10', 'discounts delete WELCOME10 --yes'],
  },
};

export function discountsCommand(): Command {
  return resourceCommand('discounts', 'list, show, create, change and delete discount codes', discounts);
}
