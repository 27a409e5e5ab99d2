import { createDiscount, deleteDiscount, getDiscountJson, listDiscountsJson, updateDiscount } from '@commerce/core';
import { crudRoutes } from './crud.ts';

export const discountRoutes = crudRoutes(
  '/discounts',
  'discount',
  {
    schema: 'Discount',
    plural: 'Discounts',
    one: 'a discount code',
    many: 'discount codes',
    deletion: '; orders that used it keep their price',
  },
  {
    list: listDiscountsJson,
    create: createDiscount,
    read: getDiscountJson,
    update: updateDiscount,
    delete: deleteDiscount,
  },
);
