export { type MailKind, mailKinds } from '../../engine/mail-kinds.ts';
export type { MailSettings } from '../../engine/settings/mail.ts';
export type {
  Mail,
  MailQueryInput,
  MailTemplate,
  MailTemplateInput,
  MailTest,
  PreviewInput,
  ResendInput,
  TestMailInput,
  WholeMail,
} from '../../mail/fields.ts';
export type { Letter } from '../../mail/letters/letter.ts';
export { getMail, listMails, resendMail } from '../../mail/mails.ts';
export { deleteMailTemplate, getMailTemplate, listMailTemplates, putMailTemplate } from '../../mail/templates.ts';
export { previewMail } from './preview.ts';
export { testMail } from './test-mail.ts';
