import { randomFillSync } from 'node:crypto';

/** Where identifiers come from. `next` gets the time of the change, so that ids sort as the changes happened. */
export interface IdSource {
  next(now: number): string;
}

const poolSize = 16 * 256;

/**
 * UUIDv7 (RFC 9562): 48 bits of milliseconds, a 12-bit counter, 62 random bits. Within one source each id is greater
 * than the one before, also inside one millisecond and when the clock steps back (method 1 of section 6.2), so that
 * "newest first" has a stable order. The `uuid` package keeps that promise only for the system's clock, not for a given one.
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
        // Half of the counter's room is left for ids of the same millisecond.
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

/** What ids that were made from this time on are not less than. */
export function minId(ms: number): string {
  const time = Math.max(0, Math.trunc(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** Time in milliseconds that an id was made with. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for a UUID in the one spelling that is stored: lower case with dashes. */
export function isId(value: string): boolean {
  return uuidPattern.test(value);
}
