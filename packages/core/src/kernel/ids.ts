import { randomFillSync } from 'node:crypto';

/** Source of identifiers. `next` takes the time of the change, so ids sort in the order of the changes. */
export interface IdSource {
  next(now: number): string;
}

const poolSize = 16 * 256;

/**
 * UUIDv7 (RFC 9562): 48 bits of milliseconds, a 12-bit counter, 62 random bits. Each id of a source is greater than the one before. This
 * holds within a millisecond and after the clock steps back (method 1 of section 6.2). "Newest first" therefore has a stable order. The
 * `uuid` package guarantees this only for the system's clock, not for a given one.
 */
export function uuidV7Source(): IdSource {
  const pool = Buffer.alloc(poolSize);
  let used = poolSize;
  let lastMs = 0;
  let counter = 0;
  return {
    next(now) {
      if (used === poolSize) {
        randomFillSync(pool);
        used = 0;
      }
      const at = used;
      used += 16;
      if (now > lastMs) {
        lastMs = now;
        // Leaves half of the counter's range for ids of the same millisecond.
        counter = pool.readUInt16BE(at + 6) & 0x7ff;
      } else if (++counter > 0xfff) {
        lastMs++;
        counter = 0;
      }
      pool.writeUIntBE(lastMs, at, 6);
      pool.writeUInt16BE(0x7000 | counter, at + 6);
      pool[at + 8] = 0x80 | ((pool[at + 8] ?? 0) & 0x3f);
      const hex = pool.toString('hex', at, at + 16);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
}

/** Lower bound of the ids created from this time on. */
export function minId(ms: number): string {
  const time = Math.max(0, Math.trunc(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** Time in milliseconds at which an id was created. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for a UUID as it is stored: lower case with dashes. */
export function isId(value: string): boolean {
  return uuidPattern.test(value);
}
