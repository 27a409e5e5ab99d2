import { open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Most addresses of a file, by the protocol of sitemaps. */
const most = 50_000;

const start = '<?xml version="1.0" encoding="UTF-8"?>\n';
const space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Writes `sitemap.xml` line by line. If one file is not enough, it lists `sitemap-1.xml` and so on. */
export class Sitemap {
  #files = 0;
  #count = 0;
  /** @type {import('node:fs/promises').FileHandle | undefined} */
  #file;
  #folder;
  #address;

  /** @param {string} folder @param {URL} address of the shop */
  constructor(folder, address) {
    this.#folder = folder;
    this.#address = address;
  }

  /** @param {string} path in the shop @param {string} [changed] */
  async add(path, changed) {
    if (this.#count === most) await this.#close();
    if (!this.#file) {
      this.#file = await open(join(this.#folder, `sitemap-${++this.#files}.xml`), 'wx');
      this.#count = 0;
      await this.#file.write(`${start}<urlset ${space}>\n`);
    }
    this.#count++;
    const date = changed ? `<lastmod>${escaped(changed)}</lastmod>` : '';
    await this.#file.write(`<url><loc>${escaped(new URL(path, this.#address).href)}</loc>${date}</url>\n`);
  }

  async #close() {
    await this.#file?.write('</urlset>\n');
    await this.#file?.close();
    this.#file = undefined;
  }

  async end() {
    await this.#close();
    const whole = join(this.#folder, 'sitemap.xml');
    if (this.#files === 1) return rename(join(this.#folder, 'sitemap-1.xml'), whole);
    const files = Array.from({ length: this.#files }, (_, i) => new URL(`sitemap-${i + 1}.xml`, this.#address).href);
    const lines = files.map((url) => `<sitemap><loc>${escaped(url)}</loc></sitemap>\n`);
    await writeFile(whole, `${start}<sitemapindex ${space}>\n${lines.join('')}</sitemapindex>\n`);
  }
}
