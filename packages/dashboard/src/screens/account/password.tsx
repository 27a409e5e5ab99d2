import { api, at, had } from '../../api/client.ts';
import type { Schemas } from '../../api/types.ts';
import { FormView, Section, TextField, useForm } from '../../kit/index.ts';
import { t } from '../../words/words.ts';

const words = t.account.password;

/** Sets or changes the password. */
export function PasswordSection({ own, onChange }: { own: Schemas['OwnUser']; onChange(): void }) {
  const form = useForm<{ current: string; password: string }>({
    key: 'users/me/password',
    read: { values: { current: '', password: '' } },
    secret: ['current', 'password'],
    saved: words.saved,
    async save(_, __, { current, password }) {
      const body = own.hasPassword ? { current, password } : { password };
      await had(api.PUT('/stores/{storeId}/users/me/password', { params: { path: at() }, body }));
      return { values: { current: '', password: '' } };
    },
    onSaved: onChange,
  });
  return (
    <FormView form={form} saveLabel={own.hasPassword ? words.change : words.set}>
      <Section title={words.one}>
        {!own.hasPassword && <p>{words.none}</p>}
        {/* Tells a password manager whose password this is. */}
        <input
          type="email"
          class="unseen"
          autoComplete="username"
          value={own.email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        <div class="field-row">
          {own.hasPassword && (
            <TextField
              form={form}
              name="current"
              label={words.current}
              type="password"
              autoComplete="current-password"
            />
          )}
          <TextField
            form={form}
            name="password"
            label={words.next}
            type="password"
            autoComplete="new-password"
            hint={own.hasPassword ? words.ends : words.hint}
          />
        </div>
      </Section>
    </FormView>
  );
}
