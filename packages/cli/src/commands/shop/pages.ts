import { createPage, deletePage, getPage, listPages, type Page, updatePage } from '@commerce/core';
import type { Command } from 'commander';
import { type Resource, resourceCommand } from '../../resource/resource.ts';

const pages: Resource<Page> = {
  kind: 'page',
  noun: 'page',
  names: 'its id or slug',
  listing: {
    item: 'Page',
    filters: {
      status: { flags: '--status <status>', description: 'only items with this status: draft, published or archived' },
      slug: { flags: '--slug <slug>', description: 'only the item with this slug' },
      search: { flags: '--search <text>', description: 'only pages with this text in their title or content' },
    },
    columns: {
      id: (page) => page.id,
      slug: (page) => page.slug,
      title: (page) => page.title,
      status: (page) => page.status,
      updated: (page) => page.updatedAt,
    },
    read: listPages,
  },
  title: (page) => `${page.slug} (${page.title})`,
  show: getPage,
  create: { schema: 'PageInput', run: createPage },
  update: { schema: 'PageChanges', run: updatePage },
  delete: deletePage,
  references: { seoImageId: 'media' },
  texts: { list: 'list the pages of a store, newest first' },
  examples: {
    list: ['pages list --status published', 'pages list --search imprint --json'],
    show: ['pages show imprint', 'pages show imprint --json'],
    create: [
      'pages create --title Imprint --slug imprint --content "<p>Shop Ltd.</p>" --status published',
      'pages create --file imprint.json',
    ],
    update: ['pages update imprint --status archived', 'pages update imprint --file imprint.json'],
    delete: ['pages delete imprint', 'pages delete imprint --yes'],
  },
};

export function pagesCommand(): Command {
  return resourceCommand('pages', 'list, show, create, change and delete pages', pages);
}
