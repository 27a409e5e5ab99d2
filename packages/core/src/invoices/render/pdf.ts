import { breathe } from '../../kernel/breathe.ts';
import { type InvoiceFonts, inBuiltIn, isBuiltIn } from './fonts.ts';
import { type InvoicePage, type PageRow, partsOf } from './page.ts';

/** A document of pdfkit. It is loaded only when a PDF is made. */
type Pdf = PDFKit.PDFDocument;
type Part = PDFKit.PDFStructureElement;

/** Points. */
const margin = 50;
const size = { body: 9.5, small: 8.5, heading: 20, total: 11 } as const;
const gap = 6;
const ink = '#1d1d1b';
const soft = '#5c5a55';
const hairline = '#d4d1c9';

/** Rows that are laid out before other work gets a turn. */
const rowsAtOnce = 20;

/**
 * Prints an invoice as a tagged PDF of A4 pages, with embedded fonts. The same invoice gives the same bytes.
 * @param issuedAt milliseconds
 */
export async function printInvoicePdf(page: InvoicePage, fonts: InvoiceFonts, issuedAt: number): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: page.language,
    // Its default is a font of the reader, of which a description would be read from a file.
    font: '',
    info: {
      Title: page.title,
      Author: page.seller.name,
      Creator: 'Commerce',
      CreationDate: new Date(issuedAt),
      ModDate: new Date(issuedAt),
    },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  doc.registerFont('regular', fonts.regular as never);
  doc.registerFont('bold', fonts.bold as never);
  if (fonts.other) doc.registerFont('other', fonts.other as never);
  await new Layout(doc, page, fonts.other !== null).print();
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

interface Style {
  bold?: boolean;
  size?: number;
  color?: string;
  align?: 'left' | 'right';
}

interface Column {
  x: number;
  width: number;
  align: 'left' | 'right';
}

/** Lays out one invoice. `#y` is where the next block begins. */
class Layout {
  readonly #doc: Pdf;
  readonly #page: InvoicePage;
  readonly #hasOther: boolean;
  readonly #root: Part;
  readonly #width: number;
  #y = margin;

  constructor(doc: Pdf, page: InvoicePage, hasOther: boolean) {
    this.#doc = doc;
    this.#page = page;
    this.#hasOther = hasOther;
    this.#root = doc.struct('Document');
    doc.addStructure(this.#root);
    this.#width = doc.page.width - 2 * margin;
  }

  async print(): Promise<void> {
    this.#printSeller();
    this.#printSides();
    this.#printHeading();
    await this.#printGoods();
    this.#printSums();
    this.#printTaxes();
    for (const note of this.#page.notes) {
      this.#y += gap;
      this.#paragraph(this.#root, 'P', note);
    }
    this.#root.end();
    this.#numberPages();
  }

  #printSeller(): void {
    const { seller } = this.#page;
    const x = margin + this.#width / 2;
    const column = { x, width: this.#width / 2, align: 'right' as const };
    this.#paragraph(this.#root, 'P', seller.name, { bold: true, align: 'right', size: size.total }, column);
    for (const line of seller.lines) this.#paragraph(this.#root, 'P', line, { align: 'right', color: soft }, column);
    this.#y += 28;
  }

  /** The buyer on the left, and the facts on the right. */
  #printSides(): void {
    const { buyer, facts, colon } = this.#page;
    const top = this.#y;
    const left = { x: margin, width: this.#width * 0.5, align: 'left' as const };
    this.#paragraph(this.#root, 'P', buyer.label, { color: soft, size: size.small }, left);
    for (const line of buyer.lines) this.#paragraph(this.#root, 'P', line, {}, left);
    const bottom = this.#y;
    this.#y = top;
    const x = margin + this.#width * 0.56;
    const label = { x, width: this.#width * 0.22, align: 'left' as const };
    const value = { x: x + label.width, width: this.#width * 0.22, align: 'right' as const };
    const list = this.#open(this.#root, 'L');
    for (const fact of facts) {
      const item = this.#open(list, 'LI');
      const rowTop = this.#y;
      this.#paragraph(item, 'Lbl', `${fact.label}${colon}`, { color: soft }, label);
      const labelled = this.#y;
      this.#y = rowTop;
      this.#paragraph(item, 'LBody', fact.value, { align: 'right' }, value);
      this.#y = Math.max(this.#y, labelled);
      item.end();
    }
    list.end();
    this.#y = Math.max(bottom, this.#y) + 26;
  }

  #printHeading(): void {
    this.#paragraph(this.#root, 'H1', this.#page.heading, { bold: true, size: size.heading });
    this.#y += 2;
    for (const line of this.#page.intro) this.#paragraph(this.#root, 'P', line);
    this.#y += gap * 2;
  }

  async #printGoods(): Promise<void> {
    const { heads, rows } = this.#page.table;
    const columns = this.#columns([0.4, 0.09, 0.19, 0.12, 0.2]);
    const table = this.#open(this.#root, 'Table');
    const [first] = rows[0] ? this.#partsOf(rows[0], columns) : [];
    // The heads stay with the first row.
    this.#printHeads(table, heads, columns, true, first ? this.#heightOfRow(first, columns) : 0);
    for (const [i, row] of rows.entries()) {
      if (i % rowsAtOnce === rowsAtOnce - 1) await breathe();
      const parts = this.#partsOf(row, columns);
      for (const part of parts) {
        const height = this.#heightOfRow(part, columns);
        if (this.#y + height > this.#bottom) {
          this.#newPage();
          this.#printHeads(table, heads, columns, false);
        }
        this.#printRow(table, part, columns, height, part === parts.at(-1));
      }
    }
    table.end();
    this.#y += gap * 2;
  }

  #columns(shares: readonly number[]): Column[] {
    let x = margin;
    return shares.map((share, i) => {
      const width = this.#width * share;
      const column = {
        x: i === 0 ? x : x + gap,
        width: width - gap,
        align: i === 0 ? ('left' as const) : ('right' as const),
      };
      x += width;
      return column;
    });
  }

  /**
   * Heads are content on the first page, and decoration on the others.
   * @param below the height that must be left for what follows
   */
  #printHeads(table: Part, heads: readonly string[], columns: readonly Column[], isFirst: boolean, below = 0): void {
    const style = { bold: true, size: size.small };
    const height = Math.max(...heads.map((head, i) => this.#height(head, columns[i] as Column, style)));
    if (this.#y + height + 2 * gap + below > this.#bottom) this.#newPage();
    const row = isFirst ? this.#open(table, 'TR') : undefined;
    const top = this.#y;
    for (const [i, head] of heads.entries()) {
      const column = columns[i] as Column;
      const draw = () => this.#text(head, { ...column, y: top }, { ...style, align: column.align });
      if (row) row.add(this.#doc.struct('TH', { scope: 'Column' } as never, [() => void draw()]));
      else this.#decorate(draw);
    }
    row?.end();
    this.#y = top + height + gap / 2;
    this.#rule(ink, 0.8);
    this.#y += gap / 2 + 1;
  }

  #partsOf(row: PageRow, columns: readonly Column[]): [PageRow, ...PageRow[]] {
    const most = (this.#bottom - margin) / 2;
    return partsOf(row, (part) => this.#heightOfRow(part, columns) <= most);
  }

  #heightOfRow(row: PageRow, columns: readonly Column[]): number {
    const [item] = columns as [Column];
    const left = row.details.reduce(
      (sum, detail) => sum + this.#height(detail, item, { size: size.small }),
      this.#height(row.title, item, {}),
    );
    const cells = cellsOf(row).map((cell, i) => this.#height(cell, columns[i + 1] as Column, {}));
    return Math.max(left, ...cells) + gap;
  }

  #printRow(table: Part, row: PageRow, columns: readonly Column[], height: number, isRuled: boolean): void {
    const [item, ...others] = columns as [Column, ...Column[]];
    const part = this.#open(table, 'TR');
    const top = this.#y;
    part.add(
      this.#cell(() => {
        let y = this.#text(row.title, { ...item, y: top }, {});
        for (const detail of row.details) y = this.#text(detail, { ...item, y }, { size: size.small, color: soft });
      }),
    );
    for (const [i, cell] of cellsOf(row).entries()) {
      const column = others[i] as Column;
      part.add(this.#cell(() => this.#text(cell, { ...column, y: top }, { align: 'right' })));
    }
    part.end();
    this.#y = top + height - gap / 2;
    if (isRuled) this.#rule(hairline, 0.5);
    this.#y += gap / 2;
  }

  #printSums(): void {
    const { sums } = this.#page;
    const x = margin + this.#width * 0.42;
    const label = { x, width: this.#width * 0.36, align: 'left' as const };
    const value = { x: x + label.width, width: this.#width * 0.22, align: 'right' as const };
    const styleOf = (isTotal: boolean): Style => (isTotal ? { bold: true, size: size.total } : {});
    const heights = sums.map((sum) =>
      Math.max(
        this.#height(sum.label, label, styleOf(sum.isTotal)),
        this.#height(sum.value, value, styleOf(sum.isTotal)),
      ),
    );
    // The total does not stand alone on the next page.
    if (this.#y + heights.reduce((all, one) => all + one + gap, 0) > this.#bottom) this.#newPage();
    const table = this.#open(this.#root, 'Table');
    for (const [i, sum] of sums.entries()) {
      if (sum.isTotal) {
        this.#rule(ink, 0.8, x);
        this.#y += gap / 2;
      }
      const row = this.#open(table, 'TR');
      const top = this.#y;
      const style = styleOf(sum.isTotal);
      row.add(
        this.#doc.struct('TH', { scope: 'Row' } as never, [() => this.#text(sum.label, { ...label, y: top }, style)]),
      );
      row.add(this.#cell(() => this.#text(sum.value, { ...value, y: top }, { ...style, align: 'right' })));
      row.end();
      this.#y = top + (heights[i] ?? 0) + gap / 2;
    }
    table.end();
    this.#y += gap * 3;
  }

  #printTaxes(): void {
    const { taxes } = this.#page;
    if (!taxes) return;
    const columns = this.#columns([0.4, 0.2, 0.2, 0.2]);
    const table = this.#open(this.#root, 'Table');
    const height = (cells: readonly string[]) =>
      Math.max(...cells.map((cell, i) => this.#height(cell, columns[i] as Column, { size: size.small })));
    // The heads stay with the first row.
    if (this.#y + height(taxes.heads) + height(taxes.rows[0] ?? []) + gap * 3 > this.#bottom) this.#newPage();
    this.#printHeads(table, taxes.heads, columns, true);
    for (const cells of taxes.rows) {
      const rowHeight = height(cells);
      if (this.#y + rowHeight + gap > this.#bottom) {
        this.#newPage();
        this.#printHeads(table, taxes.heads, columns, false);
      }
      const row = this.#open(table, 'TR');
      const top = this.#y;
      for (const [i, cell] of cells.entries()) {
        const column = columns[i] as Column;
        const draw = () => this.#text(cell, { ...column, y: top }, { size: size.small, align: column.align });
        row.add(i === 0 ? this.#doc.struct('TH', { scope: 'Row' } as never, [() => void draw()]) : this.#cell(draw));
      }
      row.end();
      this.#y = top + rowHeight + gap / 2;
    }
    table.end();
    this.#y += gap;
  }

  #numberPages(): void {
    const doc = this.#doc;
    const { start, count } = doc.bufferedPageRange();
    for (let i = 0; i < count; i++) {
      doc.switchToPage(start + i);
      // Below the margin, where a text would begin a new page.
      doc.page.margins.bottom = 0;
      const y = doc.page.height - margin + 8;
      const style = { size: size.small, color: soft };
      const half = { width: this.#width / 2, y };
      this.#decorate(() => {
        this.#text(this.#page.title, { x: margin, ...half }, style);
        const number = this.#page.pageOf(i + 1, count);
        this.#text(number, { x: margin + this.#width / 2, ...half }, { ...style, align: 'right' });
      });
    }
  }

  /** Where the last line of a page ends. */
  get #bottom(): number {
    return this.#doc.page.height - margin - gap;
  }

  #newPage(): void {
    this.#doc.addPage();
    this.#y = margin;
  }

  #open(parent: Part, type: string): Part {
    const part = this.#doc.struct(type as never);
    parent.add(part);
    return part;
  }

  #cell(draw: () => unknown): Part {
    return this.#doc.struct('TD', {}, [() => void draw()]);
  }

  /** Prints a block at the current place. One that is longer than the page goes on on the next. */
  #paragraph(
    parent: Part,
    type: string,
    text: string,
    style: Style = {},
    column: Omit<Column, 'align'> = { x: margin, width: this.#width },
  ): void {
    if (this.#y + this.#height('x', column, style) > this.#bottom) this.#newPage();
    parent.add(
      this.#doc.struct(type as never, {}, [
        () => {
          this.#y = this.#text(text, { ...column, y: this.#y }, style);
        },
      ]),
    );
  }

  #use(text: string, { bold = false, size: points = size.body, color = ink }: Style): void {
    const font = this.#hasOther && !isBuiltIn(text) ? 'other' : bold ? 'bold' : 'regular';
    this.#doc.font(font).fontSize(points).fillColor(color);
  }

  #height(given: string, { width }: Pick<Column, 'width'>, style: Style): number {
    const text = this.#hasOther ? given : inBuiltIn(given);
    this.#use(text, style);
    return text === '' ? 0 : this.#doc.heightOfString(text, { width });
  }

  /** @returns where the text ends */
  #text(given: string, { x, y, width }: { x: number; y: number; width: number }, style: Style): number {
    const text = this.#hasOther ? given : inBuiltIn(given);
    this.#use(text, style);
    if (text === '') return y;
    this.#doc.text(text, x, y, { width, align: style.align ?? 'left' });
    return this.#doc.y;
  }

  #rule(color: string, thickness: number, from = margin): void {
    this.#decorate(() => {
      const to = margin + this.#width;
      this.#doc.moveTo(from, this.#y).lineTo(to, this.#y).lineWidth(thickness).strokeColor(color).stroke();
    });
  }

  /** Draws what is no content: programs that read the document aloud skip it. */
  #decorate(draw: () => void): void {
    this.#doc.markContent('Artifact', { type: 'Layout' } as never);
    draw();
    this.#doc.endMarkedContent();
  }
}

function cellsOf({ quantity, netUnitPrice, taxRate, amount }: PageRow): string[] {
  return [quantity, netUnitPrice, taxRate, amount];
}
