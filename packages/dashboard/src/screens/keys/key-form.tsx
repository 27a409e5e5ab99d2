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
import { actionLabels, actions, allScopes, resources, scopeOf } from './scopes.ts';

type FormValues = {
  kind: 'secret' | 'storefront';
  name: string;
  scopes: string[];
  lasts: string;
  expiresAt: string | null;
};

const lasting = [
  ['', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['at', 'At a time…'],
] as const;

const day = 86_400_000;

/** Creates a key. It is shown once. */
export default function KeyForm() {
  const back = { to: 'keys', label: 'API keys' };
  return (
    <Page title="New API key" back={back}>
      {can('apiKey.write') ? <NewKey /> : <NoScope scope="apiKey.write" what="the form for API keys" />}
    </Page>
  );
}

function NewKey() {
  const [made, setMade] = useState<Schemas['CreatedApiKey']>();
  const own = who.value?.key;
  const form = useForm<FormValues>({
    key: 'api-keys/new',
    read: { values: { kind: 'secret', name: '', scopes: [], lasts: '', expiresAt: null } },
    saved: 'API key created.',
    async save(_, __, all) {
      const { kind, name, scopes, lasts, expiresAt } = all;
      if (lasts === 'at' && !expiresAt)
        throw refusal('expiresAt', 'is missing: without it, the key would never expire');
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
      <FormView form={form} saveLabel="Create API key">
        <Section title="The key">
          <div class="field-row">
            <TextField form={form} name="name" label="Name" hint="Who or what uses it, such as “Stock sync”" />
            <SelectField
              form={form}
              name="kind"
              label="Kind"
              options={[
                ['secret', 'Secret: for your own programs and staff'],
                ['storefront', 'Storefront: safe to use in public pages'],
              ]}
            />
          </div>
          <div class="field-row">
            <SelectField
              form={form}
              name="lasts"
              label="Ends"
              options={lasting}
              hint={
                own?.expiresAt ? (
                  <>
                    No later than your key: <Time at={own.expiresAt} />
                  </>
                ) : (
                  'It is also revoked if your key is revoked'
                )
              }
            />
            {lasts === 'at' && <TimeField form={form} name="expiresAt" label="At" />}
          </div>
        </Section>
        {kind === 'secret' ? (
          <Section title="Permissions">
            <ScopesField form={form} />
          </Section>
        ) : (
          <Section title="Permissions">
            <p>
              Reads published items and creates checkouts, like any visitor of the shop. Add the origins of your pages
              to the settings.
            </p>
          </Section>
        )}
      </FormView>
      {made && (
        <ShownOnce
          title="The new key"
          text={made.key}
          what="the key"
          onDone={() => void navigate(`keys/${made.id}`, { replace: true })}
        >
          <p>It is shown only once, and cannot be recovered. Store it where it is used.</p>
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
    ['Everything', mine],
    ['See everything', mine.filter((scope) => scope.endsWith('.read'))],
    ['Nothing', []],
  ] as const;
  return (
    <fieldset class="checks" aria-describedby={reason ? 'scopes-reason' : undefined}>
      <legend class="unseen">Scopes</legend>
      {mine.length < allScopes.length && (
        <p class="hint">A key can only grant its own permissions; others are not shown.</p>
      )}
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
            <th scope="col">About</th>
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
                            aria-label={`${label}: ${actionLabels[action].toLowerCase()}`}
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
