import type { MailKind } from '../../engine/mail-kinds.ts';
import type { Letter, LetterData } from './letter.ts';
export function checkTemplate(_kind: MailKind, _t: { subject: string; text: string }): void {}
export function templateVariables(_kind: MailKind): { name: string; description: string; example: string }[] {
  return [];
}
export async function writeFromTemplate(t: { subject: string; text: string }, _data: LetterData): Promise<Letter> {
  return { ...t, html: t.text };
}
export function sampleData(kind: MailKind, locale: string, _shop?: Partial<LetterData['shop']>): LetterData {
  return { kind, locale } as LetterData;
}
