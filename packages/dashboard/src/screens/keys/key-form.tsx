import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { refusal } from '../../api/errors.ts';
import { can, who } from '../../api/session.ts';
import type { Schemas, Scope } from '../../api/types.ts';
import { navigate } from '../../browser/router.ts';
import {
  Button,
  type Form,
  FormView,
  NoScope,
  Page,
  Section,
  SelectField,
  ShownOnce,
  TextField,
  Time,
  TimeField,
  useForm,
} from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { actionLabels, actions, allScopes, resources, scopeOf, scopeWords } from './scopes.ts';

const words = t.keys.form;
const { permissions } = t.keys;

type FormValues = {
  kind: 'secret' | 'storefront';
  name: string;
  scopes: string[];
  lasts: string;
  expiresAt: string | null;
};

const lasting = [
  ['', words.after.never],
  ['7', words.after.days(7)],
  ['30', words.after.days(30)],
  ['90', words.after.days(90)],
  ['365', words.after.year],
  ['at', words.after.at],
] as const;

const day = 86_400_000;

/** Creates a key. It is shown once. */
export default function KeyForm() {
  const back = { to: 'keys', label: t.keys.title };
  return (
    <Page title={words.title} back={back}>
      {can('apiKey.write') ? <NewKey /> : <NoScope scope="apiKey.write" what={words.noAccess} />}
    </Page>
  );
}

function NewKey() {
  const [made, setMade] = useState<Schemas['CreatedApiKey']>();
  const own = who.value?.key;
  const form = useForm<FormValues>({
    key: 'api-keys/new',
    read: { values: { kind: 'secret', name: '', scopes: [], lasts: '', expiresAt: null } },
    saved: words.saved,
    async save(_, __, all) {
      const { kind, name, scopes, lasts, expiresAt } = all;
      if (lasts === 'at' && !expiresAt) throw refusal('expiresAt', words.atMissing);
      const ends = lasts === 'at' ? expiresAt : lasts ? new Date(Date.now() + Number(lasts) * day).toISOString() : null;
      const { item } = await had(
        api.POST('/stores/{storeId}/api-keys', {
          params: { path: at() },
          body: { kind, name, expiresAt: ends, ...(kind === 'secret' ? { scopes } : {}) },
        }),
      );
      setMade(item);
      return { values: all };
    },
  });
  const { kind, lasts } = form.values.value;
  return (
    <>
      <FormView form={form} saveLabel={words.save}>
        <Section title={words.about}>
          <div class="field-row">
            <TextField form={form} name="name" label={words.name} hint={words.nameHint} />
            <SelectField
              form={form}
              name="kind"
              label={words.kind}
              options={[
                ['secret', words.secret],
                ['storefront', words.storefront],
              ]}
            />
          </div>
          <div class="field-row">
            <SelectField
              form={form}
              name="lasts"
              label={words.expires}
              options={lasting}
              hint={own?.expiresAt ? filled(words.notAfter, { time: <Time at={own.expiresAt} /> }) : words.withParent}
            />
            {lasts === 'at' && <TimeField form={form} name="expiresAt" label={words.at} />}
          </div>
        </Section>
        {kind === 'secret' ? (
          <Section title={permissions.title}>
            <ScopesField form={form} />
          </Section>
        ) : (
          <Section title={permissions.title}>
            <p>{words.storefrontText}</p>
          </Section>
        )}
      </FormView>
      {made && (
        <ShownOnce
          title={words.made}
          text={made.key}
          what={t.keys.the}
          onDone={() => void navigate(`keys/${made.id}`, { replace: true })}
        >
          <p>{words.madeText}</p>
        </ShownOnce>
      )}
    </>
  );
}

/** The scopes that this session can grant, as a grid. */
function ScopesField({ form }: { form: Form<FormValues> }) {
  const mine = allScopes.filter((scope) => can(scope));
  const chosen = new Set(form.values.value.scopes);
  const reason = form.errors.value.scopes;
  const set = (next: ReadonlySet<string>) =>
    form.set(
      'scopes',
      mine.filter((scope) => next.has(scope)),
    );
  const turn = (scopes: readonly Scope[], on: boolean) => {
    const next = new Set(chosen);
    for (const scope of scopes) {
      if (on) next.add(scope);
      else next.delete(scope);
    }
    set(next);
  };
  const presets = [
    [permissions.all, mine],
    [permissions.readAll, mine.filter((scope) => scope.endsWith('.read'))],
    [permissions.none, []],
  ] as const;
  return (
    <fieldset class="checks" aria-describedby={reason ? 'scopes-reason' : undefined}>
      <legend class="unseen">{permissions.title}</legend>
      {mine.length < allScopes.length && <p class="hint">{permissions.own}</p>}
      <div class="presets">
        {presets.map(([label, scopes]) => (
          <Button
            key={label}
            pressed={chosen.size === scopes.length && scopes.every((scope) => chosen.has(scope))}
            onClick={() => set(new Set(scopes))}
          >
            {label}
          </Button>
        ))}
      </div>
      {reason && (
        <p class="reason" id="scopes-reason" dir="auto">
          {reason}
        </p>
      )}
      <table class="scopes">
        <thead>
          <tr>
            <th scope="col">{permissions.area}</th>
            {actions.map((action) => (
              <th key={action} scope="col">
                {actionLabels[action]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {resources.map(([resource, label, own]) => {
            const given = own.filter((action) => can(scopeOf(resource, action)));
            if (given.length === 0) return null;
            return (
              <tr key={resource}>
                <th scope="row">{label}</th>
                {actions.map((action) => {
                  const scope = scopeOf(resource, action);
                  return (
                    <td key={action}>
                      {given.includes(action) && (
                        <label class="scope">
                          <input
                            type="checkbox"
                            checked={chosen.has(scope)}
                            aria-label={scopeWords(scope)}
                            onChange={({ currentTarget }) => turn([scope], currentTarget.checked)}
                          />
                        </label>
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </fieldset>
  );
}
