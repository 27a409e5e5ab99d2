import {
  deleteMailTemplate,
  getMail,
  getMailTemplate,
  listMails,
  listMailTemplates,
  previewMail,
  putMailTemplate,
  resendMail,
  testMail,
} from '@commerce/core';
import { list, nothing, record } from '../answers.ts';
import { type Route, route } from '../router.ts';

export const mailRoutes: readonly Route[] = [
  route('GET', '/mails', 'mail.read', {
    name: 'listMails',
    summary: 'List mails, sent and waiting, newest first',
    query: 'MailQuery',
    answer: list('Mail'),
    run: listMails,
  }),
  route('GET', '/mails/{id}', 'mail.read', {
    name: 'getMail',
    summary: 'Get a mail with its text',
    description: 'Texts are kept for 180 days; those of acknowledgements of withdrawals stay.',
    answer: record('WholeMail'),
    run: getMail,
  }),
  route('POST', '/mails/{id}/resend', 'mail.write', {
    name: 'resendMail',
    summary: 'Send a mail again, as a new mail with the same text',
    body: 'ResendInput',
    errors: ['conflict'],
    answer: record('Mail', 202),
    run: resendMail,
  }),
  route('GET', '/mail-templates', 'settings.read', {
    name: 'listMailTemplates',
    summary: "List the shop's own texts of mails",
    answer: list('MailTemplate'),
    run: listMailTemplates,
  }),
  route('GET', '/mail-templates/{kind}/{locale}', 'settings.read', {
    name: 'getMailTemplate',
    summary: "Get the shop's own text of a kind of mail in one language, and the variables that it can name",
    answer: record('MailTemplate'),
    run: getMailTemplate,
  }),
  route('PUT', '/mail-templates/{kind}/{locale}', 'settings.write', {
    name: 'putMailTemplate',
    summary: "Set the shop's own text of a kind of mail in one language, in Liquid",
    body: 'MailTemplateInput',
    errors: ['conflict'],
    answer: record('MailTemplate'),
    run: putMailTemplate,
  }),
  route('DELETE', '/mail-templates/{kind}/{locale}', 'settings.write', {
    name: 'deleteMailTemplate',
    summary: 'Go back to the built-in wording',
    answer: nothing,
    run: deleteMailTemplate,
  }),
  route('POST', '/mail/preview', 'settings.read', {
    name: 'previewMail',
    summary: 'Write a mail with sample facts, in the stored text or in another one',
    body: 'PreviewInput',
    answer: record('Letter'),
    run: previewMail,
  }),
  route('POST', '/mail/test', 'settings.write', {
    name: 'testMail',
    summary: 'Send a test with the settings of mail, at once, and tell what was said',
    body: 'TestMailInput',
    errors: ['conflict'],
    answer: record('MailTest'),
    run: testMail,
  }),
];
