import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../api/errors.ts';
import { bodyOf, readValues } from '../../../kit/form/kinds.ts';
import { t } from '../../../words/words.ts';
import { flatMail, type MailSettings, mailBody, mailFields, mailRefusal } from './mail-fields.ts';

const kinds = Object.fromEntries(Object.keys(t.mails.kinds).map((kind) => [kind, true])) as MailSettings['kinds'];
const stored: MailSettings = {
  from: 'shop@example.com',
  replyTo: null,
  ownerAddress: 'owner@example.com',
  smtp: { host: 'smtp.example.com', port: 465, security: 'tls', user: 'shop', password: { lastFour: 'cret' } },
  kinds: { ...kinds, 'order.delivered': false },
  footer: 'Open from 9 to 5',
  logoMediaId: null,
};

/** What would be sent after these are typed. */
const sentAfter = (mail: MailSettings, typed: object = {}) =>
  mailBody(bodyOf(mailFields, { ...readValues(mailFields, flatMail(mail)), ...typed }));

describe('the settings of mail', () => {
  it('are sent as they were read, without the password', () => {
    const { password: _, ...smtp } = stored.smtp ?? expect.fail();
    expect(sentAfter(stored)).toEqual({ ...stored, smtp });
    expect(sentAfter(stored, { 'mail.smtp.password': 'new' }).smtp).toEqual({ ...smtp, password: 'new' });
  });

  it('have no server without its name', () => {
    expect(sentAfter({ ...stored, smtp: null })).toEqual({ ...stored, smtp: null });
    expect(sentAfter({ ...stored, smtp: null }, { 'mail.smtp.host': ' smtp.example.com ' }).smtp).toEqual({
      host: 'smtp.example.com',
      port: 587,
      security: 'starttls',
      user: null,
    });
    const none = { 'mail.smtp.host': '', 'mail.smtp.user': '' };
    expect(sentAfter(stored, none).smtp).toBeNull();
    expect(() => sentAfter(stored, { 'mail.smtp.host': '' })).toThrow(t.settings.mail.passwordMissing);
    expect(() => sentAfter(stored, { 'mail.smtp.port': 'many' })).toThrow(t.kit.wholeNumber);
  });

  it('are refused in words of their own', () => {
    const details = [
      { field: 'mail.smtp.host', reason: '…', code: 'NOT_OFFERED' },
      { field: 'mail.smtp.password', reason: '…', code: 'REQUIRED' },
      { field: 'mail.from', reason: '…', code: 'NOT_AN_EMAIL' },
    ];
    const refused = mailRefusal(new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: '…', details }));
    expect(refused.details.map(({ said }) => said)).toEqual([
      t.settings.mail.hostRefused,
      t.settings.mail.passwordAgain,
      undefined,
    ]);
  });
});
