import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openLog } from './log.ts';
import { textOfFault, textOfRequest, textOfWarning } from './text-log.ts';

const entry = {
  time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  method: 'GET',
  route: '/products/{id}',
  status: 200,
  ms: 1.23456,
  storeId: '0190f3a2-0000-7000-8000-000000000000',
  keyPrefix: 'ck_live_abcd',
  requestId: 'req_1',
  aborted: false,
};

describe('the log for a person', () => {
  it('has a line for each request', () => {
    expect(textOfRequest(entry)).toMatch(/^\d\d:\d\d:\d\d GET \/products\/\{id\} 200 in 1\.2 ms$/);
    const left = { ...entry, route: '', status: 499, aborted: true };
    expect(textOfRequest(left)).toMatch(/ GET \(unknown path\) 499 in 1\.2 ms, the client left$/);
  });

  it('has a line for a warning, whatever it holds', () => {
    expect(textOfWarning({ event: 'webhook.blocked', id: 'x\ny' }, entry.time)).toMatch(
      / warning: webhook\.blocked id=x y$/,
    );
    expect(textOfWarning({ event: 'secrets.clear', message: 'set a key' }, entry.time)).toMatch(/ warning: set a key$/);
  });

  it('is one line without control characters, whatever it is given', () => {
    const foreign = 'x\r\n12:00:00 GET / 200\u001b[2J\u2028';
    for (const line of [
      textOfRequest({ ...entry, route: foreign, method: foreign }),
      textOfWarning({ event: foreign, id: foreign }, entry.time),
      textOfFault(foreign, { requestId: foreign }, entry.time),
    ])
      expect(line).not.toMatch(/[\p{Cc}\u2028]/u);
    const fault = textOfFault(Object.assign(new Error(foreign), { stack: '' }), { requestId: 'r' }, entry.time);
    expect(fault).not.toMatch(/[\p{Cc}\u2028]/u);
  });

  it('says what failed, where and why, without the values that a database adds', () => {
    const cause = Object.assign(new Error('invalid input syntax: "Ada"'), { code: '22P02', detail: 'Ada Lovelace' });
    const text = textOfFault(new Error('it broke', { cause }), { requestId: 'req_1' }, entry.time);
    expect(text).toMatch(/ error in request req_1: Error: it broke\n {4}at /);
    expect(text).toMatch(/\n {2}caused by Error: invalid input syntax \(22P02\)/);
    expect(text).not.toMatch(/Ada/);
  });

  it('is written as it comes', async () => {
    const stream = new PassThrough();
    const log = openLog(stream, { form: 'text' });
    log.request(entry);
    log.fault(new Error('late'), { task: 'delivery' });
    await log.close();
    expect(String(stream.read())).toMatch(/GET \/products.*\n.* error in delivery: Error: late\n/);
  });
});
