import { collections } from '../collections.ts';
import { discountEntity } from '../discounts/fields.ts';
import { settingsEntity } from '../engine/settings/settings.ts';
import type { AnyEntity } from '../fields/entity.ts';
import { type Noun, nounNames } from '../kernel/nouns.ts';
import { mediaEntity } from '../media/fields.ts';
import { withdrawalEntity } from '../withdrawals/fields.ts';

/** The name of a resource in the document. */
export function schemaName<N extends Noun>(noun: N): Capitalize<N> {
  return (noun.charAt(0).toUpperCase() + noun.slice(1)) as Capitalize<N>;
}

/** The resources whose fields declare everything about them, by their names in the OpenAPI document. */
export const entities: Readonly<
  Record<Capitalize<Noun> | 'Discount' | 'Media' | 'Settings' | 'Withdrawal', AnyEntity>
> = {
  ...(Object.fromEntries<AnyEntity>(nounNames.map((noun) => [schemaName(noun), collections[noun].entity])) as Record<
    Capitalize<Noun>,
    AnyEntity
  >),
  Discount: discountEntity,
  Media: mediaEntity,
  Settings: settingsEntity,
  Withdrawal: withdrawalEntity,
};
