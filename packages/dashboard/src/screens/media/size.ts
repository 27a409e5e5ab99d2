import { formatNumber } from '../../words/forms.ts';

const kilobyte = 1024;

/** The size of a file: "1.5 MB". */
export function sizeText(bytes: number): string {
  const isLarge = bytes >= kilobyte ** 2;
  return formatNumber(bytes / (isLarge ? kilobyte ** 2 : kilobyte), {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: 1,
  });
}
