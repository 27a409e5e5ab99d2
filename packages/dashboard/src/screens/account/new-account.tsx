import { api, at, had } from '../../api/client.ts';
import { reenter } from '../../api/entering.ts';
import { navigate } from '../../browser/router.ts';
import { FormView, Section, TextField, useForm } from '../../kit/index.ts';
import { t } from '../../words/words.ts';

const words = t.account;

/** Makes the owner of a shop whose link was opened. */
export function NewAccount() {
  const form = useForm<{ email: string; name: string; password: string }>({
    key: 'users/me',
    read: { values: { email: '', name: '', password: '' } },
    secret: ['password'],
    saved: words.created,
    async save(_, __, { password, ...all }) {
      const body = password === '' ? all : { ...all, password };
      await had(api.POST('/stores/{storeId}/users/me', { params: { path: at() }, body }));
      return { values: { ...all, password: '' } };
    },
    async onSaved() {
      await reenter();
      await navigate('.', { replace: true });
    },
  });
  return (
    <FormView form={form} saveLabel={words.create}>
      <Section title={words.create}>
        <p>{words.createText}</p>
        <TextField form={form} name="email" label={words.email} type="email" autoComplete="username" />
        <TextField form={form} name="name" label={words.name} autoComplete="name" />
        <TextField
          form={form}
          name="password"
          label={words.password.one}
          type="password"
          autoComplete="new-password"
          hint={words.password.hint}
        />
      </Section>
    </FormView>
  );
}
