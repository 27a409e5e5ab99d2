import { inflateSync } from 'node:zlib';

/** The facts of a PDF file that pdfkit has written. */
export interface PdfFacts {
  /** The text of each page, in the order in which it is drawn. */
  pages: string[];
  /** Names of the fonts, and whether each is embedded. */
  fonts: { name: string; isEmbedded: boolean }[];
  /** Types of the structure's elements, such as `H1`. */
  structure: string[];
  /** The whole file without its streams. */
  source: string;
}

/** Reads a PDF file as far as pdfkit's own files need it. */
export function readPdf(bytes: Uint8Array): PdfFacts {
  const file = Buffer.from(bytes).toString('latin1');
  const objects = new Map<string, { dictionary: string; stream: Buffer | undefined }>();
  for (const [, id = '', body = ''] of file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const begin = body.indexOf('stream\n');
    const dictionary = begin < 0 ? body : body.slice(0, begin);
    const raw = begin < 0 ? undefined : Buffer.from(body.slice(begin + 7, body.lastIndexOf('\nendstream')), 'latin1');
    objects.set(id, { dictionary, stream: raw && (dictionary.includes('FlateDecode') ? inflateSync(raw) : raw) });
  }
  const refIn = (text: string, name: string) => new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1] ?? '';
  const dictionaryOf = (id: string) => objects.get(id)?.dictionary ?? '';
  const fonts = new Map<string, Map<number, string>>();
  const facts: PdfFacts = { pages: [], fonts: [], structure: [], source: '' };
  for (const { dictionary } of objects.values()) {
    facts.source += dictionary;
    const type = /\/S \/(\w+)/.exec(dictionary)?.[1];
    if (type && dictionary.includes('/P ')) facts.structure.push(type);
    if (!/\/Type \/FontDescriptor/.test(dictionary)) continue;
    const name = /\/FontName \/([^\s/]+)/.exec(dictionary)?.[1] ?? '';
    facts.fonts.push({ name, isEmbedded: objects.get(refIn(dictionary, 'FontFile2'))?.stream !== undefined });
  }
  const mapOf = (id: string): Map<number, string> => {
    const known = fonts.get(id);
    if (known) return known;
    const map = new Map<number, string>();
    const text = objects.get(refIn(dictionaryOf(id), 'ToUnicode'))?.stream?.toString('latin1') ?? '';
    for (const [, from = '', list = ''] of text.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
      const values = [...list.matchAll(/<([0-9a-f ]+)>/gi)].map(([, hex = '']) => hex.replaceAll(' ', ''));
      for (const [i, hex] of values.entries()) {
        const units = hex.match(/.{4}/g)?.map((unit) => Number.parseInt(unit, 16)) ?? [];
        map.set(Number.parseInt(from, 16) + i, String.fromCharCode(...units));
      }
    }
    fonts.set(id, map);
    return map;
  };
  for (const { dictionary } of objects.values()) {
    if (!/\/Type \/Page\b/.test(dictionary)) continue;
    const content = objects.get(refIn(dictionary, 'Contents'))?.stream?.toString('latin1') ?? '';
    const resources = dictionaryOf(refIn(dictionary, 'Resources')) || dictionary;
    let font = new Map<number, string>();
    let text = '';
    for (const [, name, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
      if (name) font = mapOf(refIn(resources, name));
      else {
        for (const [, hex = ''] of (shown ?? '').matchAll(/<([0-9a-f]*)>/gi))
          for (const code of hex.match(/.{4}/g) ?? []) text += font.get(Number.parseInt(code, 16)) ?? '\ufffd';
        text += '\n';
      }
    }
    facts.pages.push(text);
  }
  return facts;
}
