import { useRef } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { ApiError, toApiError } from '../../api/errors.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import {
  actAfter,
  Badge,
  Button,
  Empty,
  Field,
  type Form,
  FormView,
  Page,
  type Read,
  type ScreenProps,
  Section,
  Shown,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { kindNames, type MailKind } from '../../kit/terms/mail.ts';
import { languageName } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { atFields } from './places.ts';
import { LivePreview, type Template } from './preview.tsx';

const words = t.mails.texts;

type Stored = Schemas['MailTemplate'];

const path = '/stores/{storeId}/mail-templates/{kind}/{locale}';

async function readText(kind: MailKind, locale: string, signal: AbortSignal | null = null): Promise<Stored> {
  return (await had(api.GET(path, { params: { path: at({ kind, locale }) }, signal }))).item;
}

/** The time of the last change stands for a version. */
const toRead = ({ subject, text, updatedAt }: Stored): Read<Template> => ({
  values: { subject: subject ?? '', text: text ?? '' },
  etag: updatedAt ?? 'none',
});

/** The shop's own text for a kind of mail in one language, with a preview. */
export default function TextScreen({ params: { kind: named = '', locale = '' } }: ScreenProps) {
  const isKnown = Object.hasOwn(kindNames, named);
  const kind = named as MailKind;
  const loaded = useLoad(`${kind} ${locale}`, async (signal) => (isKnown ? readText(kind, locale, signal) : undefined));
  const back = { to: `settings/mail-texts?language=${encodeURIComponent(locale)}`, label: words.title };
  if (!isKnown) {
    return (
      <Page title={words.title} back={back}>
        <Empty title={words.unknown} icon="search" />
      </Page>
    );
  }
  const stored = loaded.data;
  const isOwn = stored?.updatedAt != null;
  const restore = () =>
    actAfter(
      words.restoring,
      async () => {
        await had(api.DELETE(path, { params: { path: at({ kind, locale }) } }));
        loaded.set(await readText(kind, locale));
      },
      words.restoring.done,
    );
  return (
    <Page
      title={words.titleOf(kindNames[kind], languageName(locale))}
      back={back}
      beside={stored && (isOwn ? <Badge tone="good">{words.own}</Badge> : <Badge>{words.builtIn}</Badge>)}
      actions={
        isOwn &&
        can('settings.write') && (
          <Button icon="back" onClick={() => void restore()}>
            {words.restore}
          </Button>
        )
      }
    >
      <Shown of={loaded} what={words.the} rows={8}>
        {(read) => read && <Editor key={`${kind} ${locale}`} stored={read} onSaved={loaded.set} />}
      </Shown>
    </Page>
  );
}

function Editor({ stored, onSaved }: { stored: Stored; onSaved(saved: Stored): void }) {
  const { kind, locale, variables } = stored;
  const form = useForm<Template>({
    key: `mail-texts/${kind}/${locale}`,
    labels: { subject: words.subject, text: words.text },
    read: toRead(stored),
    saved: words.saved,
    async save(_, etag, all) {
      // These texts have no version of their own in the interface.
      if (toRead(await readText(kind, locale)).etag !== etag) {
        throw new ApiError({ status: 409, code: 'CONFLICT', message: t.kit.refusals.because.stale });
      }
      try {
        const { item } = await had(api.PUT(path, { params: { path: at({ kind, locale }) }, body: all }));
        onSaved(item);
        return toRead(item);
      } catch (thrown) {
        const error = toApiError(thrown);
        throw error.status === 400 ? error.with(atFields(error.details)) : error;
      }
    },
    reread: async () => toRead(await readText(kind, locale)),
  });
  const mayWrite = can('settings.write');
  return (
    <div class="mail-editor">
      {mayWrite && (
        <FormView form={form}>
          <Section title={words.own}>
            <p class="quiet">{stored.updatedAt === null ? words.isBuiltIn : words.isOwn}</p>
            <TextFields form={form} variables={variables} />
          </Section>
        </FormView>
      )}
      <LivePreview kind={kind} locale={locale} form={form} />
    </div>
  );
}

/** Subject and text, and what can be inserted where one writes. */
function TextFields({ form, variables }: { form: Form<Template>; variables: Stored['variables'] }) {
  // The field that was written in last.
  const last = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const insert = (name: string) => {
    const field = last.current?.isConnected ? last.current : text.current;
    if (!field) return;
    const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
    const added = `{{ ${name} }}`;
    field.setRangeText(added, start, end, 'end');
    form.set(field.name as keyof Template, field.value);
    field.focus();
  };
  const keep = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
    last.current = currentTarget;
  };
  return (
    <>
      <Field form={form} name="subject" label={words.subject}>
        {(control) => (
          <input
            {...control}
            type="text"
            dir="auto"
            autoComplete="off"
            value={form.values.value.subject}
            onFocus={keep}
            onInput={({ currentTarget }) => form.set('subject', currentTarget.value)}
          />
        )}
      </Field>
      <Field form={form} name="text" label={words.text} hint={words.textHint}>
        {(control) => (
          <textarea
            {...control}
            ref={text}
            dir="auto"
            rows={16}
            class="mail-source"
            value={form.values.value.text}
            onFocus={keep}
            onInput={({ currentTarget }) => form.set('text', currentTarget.value)}
          />
        )}
      </Field>
      <div class="field" role="group" aria-label={words.variables}>
        <p class="label">{words.variables}</p>
        <p class="hint">{variables.length === 0 ? words.noVariables : words.variablesHint}</p>
        <ul class="mail-variables">
          {variables.map(({ name, example }) => (
            <li key={name}>
              <button
                type="button"
                class="button"
                title={example ? words.example(example) : undefined}
                onClick={() => insert(name)}
              >
                <span class="unseen">{words.insert(name)}</span>
                <code aria-hidden="true">{name}</code>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
