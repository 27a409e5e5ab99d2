import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { navigate } from '../../browser/router.ts';
import { FormView, NoScope, Page, Section, SelectField, TextField, useForm } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { LinkOnce } from './link.tsx';
import { type Role, roleOptions } from './roles.ts';

const words = t.people;

/** Invites a person. The link is shown once. */
export default function Invite() {
  const back = { to: 'people', label: words.title };
  return (
    <Page title={words.invite} back={back}>
      {can('user.write') ? <Invitation /> : <NoScope scope="user.write" what={words.noAccess} />}
    </Page>
  );
}

function Invitation() {
  const [made, setMade] = useState<Schemas['Invitation']>();
  const form = useForm<{ email: string; name: string; role: Role }>({
    key: 'users/new',
    read: { values: { email: '', name: '', role: 'manager' } },
    saved: words.invited,
    async save(_, __, all) {
      const { item } = await had(api.POST('/stores/{storeId}/users', { params: { path: at() }, body: all }));
      setMade(item);
      return { values: all };
    },
  });
  return (
    <>
      <FormView form={form} saveLabel={words.invite}>
        <Section title={words.about}>
          <div class="field-row">
            <TextField form={form} name="email" label={words.columns.email} type="email" />
            <TextField form={form} name="name" label={words.columns.name} />
          </div>
          <SelectField
            form={form}
            name="role"
            label={words.columns.role}
            options={roleOptions}
            hint={words.roles[form.values.value.role].about}
          />
        </Section>
      </FormView>
      {made && (
        <LinkOnce of={made} email={made.email} onDone={() => void navigate(`people/${made.id}`, { replace: true })} />
      )}
    </>
  );
}
