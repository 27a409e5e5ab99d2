import { describe, expect, it } from 'vitest';
import { t } from '../../words/words.ts';
import { lastCause, mailCause, toldOf } from './mail.ts';

const { causes, told } = t.mails;

describe('the cause of a mail that was not taken', () => {
  it.each([
    ['127.0.0.1 is a loopback address, and requests to such addresses are refused unless …', 'blocked'],
    ['getaddrinfo ENOTFOUND smtp.nowhere.example', 'unknownHost'],
    ['smtp.example.com has no address', 'unknownHost'],
    ['connect ECONNREFUSED 192.0.2.1:587', 'noConnection'],
    ['Connection closed unexpectedly', 'noConnection'],
    ['Connection timeout', 'noAnswer'],
    ['Greeting never received', 'noAnswer'],
    ['the server took more than 60 s', 'noAnswer'],
    ['self-signed certificate', 'certificate'],
    ["Hostname/IP does not match certificate's altnames: Host: a. is not in the cert's altnames", 'certificate'],
    ['40C7:error:0A00010B:SSL routines:ssl3_get_record:wrong version number', 'encryption'],
    ['Upgrading connection with STARTTLS: 502 command not recognised', 'encryption'],
    ['Invalid login: 535 5.7.8 Authentication failed', 'password'],
    ['Mail command failed: 530 Authentication required', 'password'],
    ["Can't send mail - all recipients were rejected: 550 5.1.1 No such user", 'mailbox'],
    ["Can't send mail - all recipients were rejected: 550 No such user here", 'mailbox'],
    ["Can't send mail - all recipients were rejected: 552 5.2.2 Mailbox full", 'full'],
    ["Can't send mail - all recipients were rejected: 554 5.7.1 Relay access denied", 'relay'],
    ['Mail command failed: 553 5.1.8 Sender address rejected', 'sender'],
    ['Message failed: 554 5.7.1 Message refused', 'spam'],
    ["Can't send mail - all recipients were rejected: 451 4.7.1 Greylisted", 'later'],
    ['Message failed: 452 too many', 'later'],
    ['who knows', 'other'],
  ] as const)('of "%s" is %s', (error, cause) => {
    expect(mailCause(error)).toBe(causes[cause]);
  });

  it('is that of the last attempt', () => {
    const attempt = { at: '2026-11-20T12:00:00.000Z', latencyMs: 1, response: null };
    const first = { ...attempt, responseCode: null, error: 'connect ECONNREFUSED 192.0.2.1:587' };
    expect(lastCause({ attempts: [first, { ...attempt, responseCode: 451, error: '451 later' }] })).toBe(causes.later);
    expect(lastCause({ attempts: [] })).toBe(causes.other);
  });
});

it('a mail that was tried says when it is tried again', () => {
  expect(toldOf({ status: 'pending', attempts: [] })).toBe(told.first);
  const attempts = [{ at: '', responseCode: 451, latencyMs: 1, error: '451', response: null }];
  expect(toldOf({ status: 'pending', attempts })).toBe(told.again);
  expect(toldOf({ status: 'failed', attempts })).toBe(told.failed);
});
