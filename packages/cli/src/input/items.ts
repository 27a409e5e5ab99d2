import { InvalidArgumentError } from 'commander';

/** A line of an order, as typed at the command line. */
export interface Item {
  sku: string;
  quantity: number;
}

/** Lines such as `MUG:2,CUP:1`. */
export function parseItems(value: string): Item[] {
  return value.split(',').map((entry) => {
    const [, sku, quantity] = /^(.+):([1-9]\d{0,5})$/.exec(entry.trim()) ?? [];
    if (!sku) throw new InvalidArgumentError('It must be SKU:number, such as MUG:2; separate several with commas.');
    return { sku, quantity: Number(quantity) };
  });
}
