import { categoryEntity } from '../categories/fields.ts';
import { customerEntity } from '../customers/fields.ts';
import { discountEntity } from '../discounts/fields.ts';
import { mediaEntity } from '../media/fields.ts';
import { pageEntity } from '../pages/fields.ts';
import { productEntity } from '../products/fields.ts';

/** The resources whose fields declare everything about them, by their names in the OpenAPI document. */
export const entities = {
  Product: productEntity,
  Category: categoryEntity,
  Page: pageEntity,
  Customer: customerEntity,
  Discount: discountEntity,
  Media: mediaEntity,
};
