import { networkOf } from '@commerce/core';
import { describe, expect, it } from 'vitest';
import { AddressLimit } from './address-limits.ts';

describe('the network of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2:ffff::1', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:192.0.2.7', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    [undefined, 'unknown'],
    ['', 'unknown'],
    ['unknown', 'unknown'],
    ['_hidden', 'unknown'],
    ['192.0.2.700', 'unknown'],
    ['x'.repeat(10_000), 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('a limit by address', () => {
  it('lets a minute’s worth through at once, and as much again within the next minute', () => {
    const limit = new AddressLimit(60);
    for (let i = 0; i < 60; i++) expect(limit.take('192.0.2.7', 0)).toBe(0);
    expect(limit.take('192.0.2.7', 0)).toBe(1);
    expect(limit.take('192.0.2.7', 999)).toBe(1);
    expect(limit.take('192.0.2.7', 1000)).toBe(0);
    expect(limit.take('192.0.2.7', 1000)).toBe(1);
    let taken = 0;
    for (let now = 1000; now <= 61_000; now += 10) if (limit.take('192.0.2.7', now) === 0) taken++;
    expect(taken).toBe(60);
    for (let i = 0; i < 60; i++) expect(limit.take('192.0.2.7', 200_000)).toBe(0);
    expect(limit.take('192.0.2.7', 200_000)).toBe(1);
  });

  it('says how long to wait', () => {
    const limit = new AddressLimit(2);
    expect([limit.take('a', 0), limit.take('a', 0), limit.take('a', 0), limit.take('a', 12_500)]).toEqual([
      0, 0, 30, 18,
    ]);
  });

  it('counts addresses apart, those of one IPv6 network together, and a clock that goes back as one that stands', () => {
    const limit = new AddressLimit(1);
    expect([limit.take('192.0.2.7', 0), limit.take('192.0.2.8', 0)]).toEqual([0, 0]);
    expect([limit.take('2001:db8::1', 0), limit.take('2001:db8::2', 0), limit.take('2001:db8:0:1::2', 0)]).toEqual([
      0, 60, 0,
    ]);
    expect(limit.take('192.0.2.7', -100_000)).toBe(60);
  });

  it('remembers a bounded number of clients, the last ones', () => {
    const limit = new AddressLimit(1);
    for (let i = 0; i < 50_000; i++) limit.take(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 0);
    expect(limit.size).toBe(20_000);
    expect(limit.take('10.0.195.79', 0)).toBe(60);
  });
});
