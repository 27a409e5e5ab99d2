import { describe, expect, it } from 'vitest';
import { type ImportValues, queryOf, typeOf } from './import-query.ts';

const usual: ImportValues = {
  resource: 'products',
  onError: 'skip',
  match: '',
  format: '',
  encoding: '',
  dryRun: false,
  events: true,
  images: false,
  overwriteStock: false,
  repeatedSku: '',
  descriptions: '',
  map: '',
};

describe('the options of an import', () => {
  it('leave out what is usual', () => expect(queryOf(usual)).toEqual({ resource: 'products', onError: 'skip' }));

  it('name everything else', () => {
    const values = {
      ...usual,
      match: 'sku',
      dryRun: true,
      events: false,
      images: true,
      encoding: 'windows-1252',
      repeatedSku: 'clear',
      descriptions: 'html',
    };
    expect(queryOf({ ...values, map: 'Nome = title\n\n Prezzo=price\nnonsense' })).toEqual({
      resource: 'products',
      onError: 'skip',
      match: 'sku',
      encoding: 'windows-1252',
      dryRun: 'true',
      events: 'false',
      images: 'true',
      repeatedSku: 'clear',
      descriptions: 'html',
      map: '{"Nome":"title","Prezzo":"price"}',
    });
  });

  it('leave out what only products have', () => {
    const values: ImportValues = {
      ...usual,
      resource: 'pages',
      match: 'sku',
      images: true,
      overwriteStock: true,
      repeatedSku: 'clear',
      descriptions: 'html',
    };
    expect(queryOf(values)).toEqual({ resource: 'pages', onError: 'skip' });
  });

  it('name the type of the file by its format or its name', () => {
    expect(typeOf({ name: 'a.CSV' }, '')).toBe('text/csv');
    expect(typeOf({ name: 'a.jsonl' }, '')).toBe('application/x-ndjson');
    expect(typeOf({ name: 'a.jsonl' }, 'csv')).toBe('text/csv');
    expect(typeOf({ name: 'a' }, '')).toBe('application/octet-stream');
  });
});
