import type { entity, Shape } from './entity.ts';
import type { Kind } from './kinds.ts';

/** An object of its own fields. It is replaced as a whole. */
export function objectOf<S extends Shape>(of: ReturnType<typeof entity<S>>) {
  return {
    rule: (decimals) => of.inputs(decimals).create,
    answer: () => of.answer(),
    cell: 'json',
  } satisfies Kind as Kind<ReturnType<typeof of.inputs>['create'], ReturnType<typeof of.answer>>;
}
