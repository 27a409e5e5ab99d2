import { Readable } from 'node:stream';
import { createCategory, createMedia, createPage, getCategory, getPage, updateMedia } from '@commerce/core';
import { openAt, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { axeFindings, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toast = (page: Page, text: string) => page.locator('.toasts').getByText(text).first().waitFor();
/** Selects a part of the text in the field. */
const select = (page: Page, label: string, part: string) =>
  page.getByRole('textbox', { name: label, exact: true }).evaluate((area, found) => {
    const field = area as unknown as { value: string; focus(): void; setSelectionRange(a: number, b: number): void };
    field.focus();
    const start = field.value.indexOf(found);
    field.setSelectionRange(start, start + found.length);
  }, part);

forOneStorage('texts in the dashboard', 'sqlite', (database) => {
  const at = useDashboard(database, { media: { files: folderPlace().files(), url: '/media' } });

  it('are formatted with buttons and keys, can be undone, and are seen before they are saved', async () => {
    const { shop } = at();
    const content = Readable.from([await picture('png')]);
    const [media] = await createMedia(shop, [{ fileName: 'a.png', mimeType: 'image/png', content }]);
    await updateMedia(shop, media?.id ?? '', { altText: 'A cup' });
    const { id } = await createPage(shop, {
      title: 'About us',
      slug: 'about-us',
      content: 'Who we are\nSmall pottery\n',
    });
    const { page, faults } = await openAt(at(), `pages/${id}`);
    const text = page.getByRole('textbox', { name: 'Content', exact: true });
    await select(page, 'Content', 'Who we are');
    await press(page, 'Heading');
    await select(page, 'Content', 'Small');
    await page.keyboard.press('Control+b');
    expect(await text.inputValue()).toBe('## Who we are\n**Small** pottery\n');
    await page.keyboard.press('Control+z');
    expect(await text.inputValue()).toBe('## Who we are\nSmall pottery\n');
    await page.keyboard.press('Control+b');
    await select(page, 'Content', 'pottery');
    await press(page, 'Link');
    await page.keyboard.insertText('https://shop.example/pots');
    await text.press('Control+End');
    await press(page, 'Insert an image');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'A cup' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use 1 image' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await text.pressSequentially('\n\none');
    await press(page, 'List');
    await press(page, 'Preview');
    const preview = page.getByRole('region', { name: 'Preview of Content' });
    await preview.getByRole('heading', { name: 'Who we are' }).waitFor();
    await preview.getByRole('link', { name: 'pottery' }).waitFor();
    await expect
      .poll(() =>
        preview
          .getByRole('img', { name: 'A cup' })
          .evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBeGreaterThan(0);
    expect(await preview.locator('strong').textContent()).toBe('Small');
    expect(await preview.getByRole('listitem').textContent()).toBe('one');
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 740 });
    expect(await widerBy(page)).toBeLessThanOrEqual(0);
    await press(page, 'Save');
    await toast(page, 'Page saved.');
    expect((await getPage(shop, id)).content).toMatch(
      /^## Who we are\n\*\*Small\*\* \[pottery\]\(https:\/\/shop\.example\/pots\)\n!\[A cup\]\(http:.*\/media\/.*\)\n\n- one$/,
    );
    expect(faults).toEqual([]);
  });

  it('that were imported as HTML are shown formatted, without what could do harm', async () => {
    const { shop } = at();
    const content =
      '<h2>Terms</h2><p onclick="hack()">Read <b>all</b></p><img src="https://elsewhere.example/a.png" alt="far">' +
      '<img src=x onerror="window.hacked=1"><script>window.hacked = 2</script><p style="position:fixed">x</p>';
    const { id } = await createPage(shop, { title: 'Terms', slug: 'terms', content });
    const { page, faults, hosts } = await openAt(at(), `pages/${id}`);
    await press(page, 'Preview');
    const preview = page.getByRole('region', { name: 'Preview of Content' });
    await preview.getByRole('heading', { name: 'Terms' }).waitFor();
    await preview.getByText('far').waitFor();
    expect(
      await page.evaluate(
        `[document.querySelectorAll('.markup-preview :is(img, script, [onclick], [style])').length, typeof window.hacked]`,
      ),
    ).toEqual([0, 'undefined']);
    expect([...hosts]).toEqual([at().url]);
    await press(page, 'Preview');
    await select(page, 'Content', 'Read');
    await press(page, 'Bold');
    await press(page, 'Save');
    await toast(page, 'Page saved.');
    expect((await getPage(shop, id)).content).toContain('<strong>Read</strong> <b>all</b>');
    // The policy already refuses handlers and styles while DOMPurify parses them, which the browser reports.
    expect(faults.filter((fault) => !/inline|-attr/.test(fault))).toEqual([]);
  });

  it('of categories and products have the same editor', async () => {
    const { shop, url } = at();
    const category = await createCategory(shop, { name: 'Mugs', slug: 'mugs', description: 'All mugs' });
    const { page, faults } = await openAt(at(), `categories/${category.id}`);
    await select(page, 'Description', 'mugs');
    await page.keyboard.press('Control+i');
    await press(page, 'Save');
    await toast(page, 'Category saved.');
    expect((await getCategory(shop, category.id)).description).toBe('All *mugs*');
    const product = await newProduct(shop, {
      title: 'Cup',
      description: 'Soft **clay**',
      descriptionFormat: 'markdown',
    });
    await page.goto(`${url}/dashboard/products/${product.id}`);
    await press(page, 'Preview');
    await page.getByRole('region', { name: 'Preview of Description' }).locator('strong').getByText('clay').waitFor();
    await page.getByLabel('Format', { exact: true }).selectOption('text');
    await expect.poll(() => page.getByRole('toolbar').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
