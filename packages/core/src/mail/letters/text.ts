import type { Block, Frame, GoodsRow } from './blocks.ts';

/** The plain text of a letter. */
export function printText(blocks: readonly Block[], { colon, foot }: Frame): string {
  const parts = blocks.map((block) => printBlock(block, colon)).filter((part) => part !== '');
  const last = ['--------------------', ...foot.lines].join('\n');
  return `${[...parts, last, ...(foot.text === null ? [] : [foot.text])].join('\n\n')}\n`;
}

function printBlock(block: Block, colon: string): string {
  switch (block.kind) {
    case 'heading':
      return `${block.text}\n${(block.level === 1 ? '=' : '-').repeat(Math.min(block.text.length, 60))}`;
    case 'paragraph':
      return block.text;
    case 'note':
      return indented(block.text, '  ');
    case 'goods':
      return block.rows.map((row) => (block.isStock ? printStock(row, colon) : printRow(row, colon))).join('\n');
    case 'totals':
      return block.rows.map(({ label, amount }) => `${label}${colon} ${amount}`).join('\n');
    case 'address':
      return [block.label + colon, ...block.lines].join('\n');
    case 'button':
      return `${block.label}${colon}\n${block.url}`;
    case 'facts':
      return block.rows
        .map(({ label, value }) =>
          value.includes('\n') ? `${label}${colon}\n${indented(value, '  ')}` : `${label}${colon} ${value}`,
        )
        .join('\n');
  }
}

function printRow({ title, details, quantity, amount }: GoodsRow, colon: string): string {
  const first = `${quantity} × ${title}${amount === null ? '' : `${colon} ${amount}`}`;
  return [first, ...details.map((detail) => `    ${detail}`)].join('\n');
}

function printStock({ title, details, quantity }: GoodsRow, colon: string): string {
  return `${[title, ...details].join(' · ')}${colon} ${quantity}`;
}

function indented(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : by + line))
    .join('\n');
}
