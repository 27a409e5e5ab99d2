import { CommerceError } from '@commerce/core';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { zipped } from './invoices.ts';

const file = (n: number) => ({
  ...{ id: `id${n}`, fileName: `INV-${n}.pdf`, bytes: new Uint8Array([1]), at: '2026-11-20T12:00:00.000Z' },
});

async function bytesOf(count: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipped(Array.from({ length: count }, (_, n) => file(n)))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('the ZIP of invoices', () => {
  it('holds as many files as its format can count, and refuses more', { timeout: 60_000 }, async () => {
    expect(Object.keys(unzipSync(await bytesOf(65_535)))).toHaveLength(65_535);
    const error: unknown = await bytesOf(65_536).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(CommerceError);
    expect(String(error)).toContain('--from and --to');
  });

  it('has each of two files whose names are the same', async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of zipped([file(1), { ...file(1), id: 'other' }])) chunks.push(chunk);
    expect(Object.keys(unzipSync(Buffer.concat(chunks)))).toEqual(['INV-1.pdf', 'other-INV-1.pdf']);
  });
});
