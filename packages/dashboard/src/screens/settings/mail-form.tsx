import { useState } from 'preact/hooks';
import { can } from '../../api/session.ts';
import { Button, Field, Fields, type Form, FormView, LinkButton, Section, type ValuesOf } from '../../kit/index.ts';
import { isOwners, mailKinds } from '../../kit/terms/mail.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { MediaPicker } from '../media/picker.tsx';
import { Thumb } from '../media/thumb.tsx';
import { pages } from './form/fields.ts';
import { type MailSettings, type mailFields, mailGroups, mailRefusal, usualPorts } from './form/mail-fields.ts';
import { type FormProps, useSettings } from './form/use-settings.ts';
import { TestDialog } from './mail-test.tsx';

const words = t.settings.mail;

type MailForm = Form<ValuesOf<typeof mailFields>>;

/** Who sends mails, through which server, which of them, and how they look. */
export function MailForm(props: FormProps) {
  const { mail } = props.read.item;
  const form = useSettings('mail', pages.mail, props, { secret: ['mail.smtp.password'], refused: mailRefusal });
  const [isTesting, setTesting] = useState(false);
  const isSetUp = mail.from !== null && mail.smtp !== null;
  const kindsOf = (ofOwner: boolean) =>
    Object.fromEntries(
      mailKinds
        .filter((kind) => isOwners(kind) === ofOwner)
        .map((kind) => [`mail.kinds.${kind}`, pages.mail[`mail.kinds.${kind}`]]),
    );
  return (
    <>
      {!isSetUp && <p class="notice">{words.notSetUp}</p>}
      <FormView form={form}>
        <Section title={words.sender}>
          <Fields form={form} of={mailGroups.sender} />
        </Section>
        <Section
          title={words.server}
          actions={isSetUp && <Button onClick={() => setTesting(true)}>{words.test.action}</Button>}
        >
          <p class="quiet">{words.serverHint}</p>
          <Server form={form} stored={mail.smtp} />
        </Section>
        <Section title={words.kinds} actions={<LinkButton to="settings/mail-texts">{words.texts}</LinkButton>}>
          <h3>{words.toBuyer}</h3>
          <Fields form={form} of={kindsOf(false)} />
          <h3>{words.toOwner}</h3>
          <Fields form={form} of={kindsOf(true)} />
        </Section>
        <Section title={words.look}>
          {can('media.read') && <Logo form={form} />}
          <Fields form={form} of={{ 'mail.footer': mailGroups.look['mail.footer'] }} />
        </Section>
      </FormView>
      {isTesting && (
        <TestDialog
          to={mail.ownerAddress ?? mail.replyTo ?? mail.from ?? ''}
          isUnsaved={form.dirty.value}
          onClose={() => setTesting(false)}
        />
      )}
    </>
  );
}

function Server({ form, stored }: { form: MailForm; stored: MailSettings['smtp'] }) {
  const { server } = mailGroups;
  const { 'mail.smtp.security': security, 'mail.smtp.port': port } = form.values.value;
  const end = stored?.password?.lastFour;
  const kept = end ? filled(words.passwordStored, { end: <code>{end}</code> }) : words.passwordKept;
  return (
    <>
      <Fields form={form} of={{ 'mail.smtp.host': server['mail.smtp.host'] }} />
      <div class="field-row">
        <Field form={form} name="mail.smtp.security" label={words.security} hint={words.securityHint}>
          {(control) => (
            <select
              {...control}
              value={security}
              onChange={({ currentTarget: { value } }) => {
                // The port follows, unless it is one of the server's own.
                const usual: Record<string, string> = usualPorts;
                if (port === usual[security]) form.set('mail.smtp.port', usual[value] ?? port);
                form.set('mail.smtp.security', value);
              }}
            >
              {Object.entries(words.securities).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Fields form={form} of={{ 'mail.smtp.port': server['mail.smtp.port'] }} />
      </div>
      <div class="field-row">
        <Fields form={form} of={{ 'mail.smtp.user': server['mail.smtp.user'] }} />
        <Field
          form={form}
          name="mail.smtp.password"
          label={words.password}
          hint={stored?.password ? kept : words.passwordHint}
        >
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="new-password"
              spellcheck={false}
              value={form.values.value['mail.smtp.password']}
              onInput={({ currentTarget }) => form.set('mail.smtp.password', currentTarget.value)}
            />
          )}
        </Field>
      </div>
    </>
  );
}

function Logo({ form }: { form: MailForm }) {
  const [isPicking, setPicking] = useState(false);
  const id = form.values.value['mail.logoMediaId'];
  const set = (next: string) => form.set('mail.logoMediaId', next);
  const reason = form.errors.value['mail.logoMediaId'];
  return (
    <div class="field" role="group" aria-label={words.logo}>
      <p class="label">{words.logo}</p>
      <div class="mail-logo">
        {id ? <Thumb key={id} id={id} /> : <span class="quiet">{words.logoNone}</span>}
        <Button icon="media" onClick={() => setPicking(true)}>
          {words.logoChoose}
        </Button>
        {id && <Button kind="quiet" icon="trash" label={words.logoRemove} onClick={() => set('')} />}
      </div>
      <p class="hint">{words.logoHint}</p>
      {reason && <p class="reason">{reason}</p>}
      {isPicking && (
        <MediaPicker
          onPick={([chosen = '']) => {
            set(chosen);
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  );
}
