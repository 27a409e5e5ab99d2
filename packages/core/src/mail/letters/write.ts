import type { Letter, LetterData } from './letter.ts';
export function writeLetter(data: LetterData): Letter {
  return { subject: data.kind, text: data.kind, html: data.kind };
}
