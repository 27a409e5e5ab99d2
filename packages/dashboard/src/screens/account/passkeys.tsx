import { useEffect, useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { askWays, hasPasskeys, ways } from '../../api/entering.ts';
import type { Schemas } from '../../api/types.ts';
import {
  act,
  actAfter,
  Button,
  Dialog,
  FormView,
  Section,
  TextField,
  Time,
  UserText,
  useForm,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';

const words = t.account.passkeys;

/** Passkeys: a device signs in by fingerprint, face or PIN. */
export function Passkeys({ of, onChange }: { of: readonly Schemas['Passkey'][]; onChange(): void }) {
  const [isAdding, setAdding] = useState(false);
  const { value } = ways;
  useEffect(() => {
    if (!value) void act(askWays);
  }, []);
  const remove = ({ id, name }: Schemas['Passkey']) =>
    actAfter(
      { title: words.removing(name), text: words.removingText, yes: words.remove },
      async () => {
        await had(api.DELETE('/stores/{storeId}/users/me/passkeys/{id}', { params: { path: at({ id }) } }));
        onChange();
      },
      words.removed,
    );
  return (
    <Section title={words.title}>
      <p>{words.text}</p>
      {of.length > 0 && (
        <ul class="rows">
          {of.map((passkey) => (
            <li key={passkey.id}>
              <span>
                <UserText>{passkey.name}</UserText>
                <span class="quiet"> {passkey.lastUsedAt ? <Time at={passkey.lastUsedAt} age /> : words.unused}</span>
              </span>
              <Button
                kind="quiet"
                icon="trash"
                label={words.removing(passkey.name)}
                onClick={() => void remove(passkey)}
              />
            </li>
          ))}
        </ul>
      )}
      {value &&
        (hasPasskeys(value) ? (
          <Button icon="plus" onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        ) : (
          <p class="quiet">{value.passkeyHost ? words.elsewhere(value.passkeyHost) : words.impossible}</p>
        ))}
      {isAdding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false);
            onChange();
          }}
        />
      )}
    </Section>
  );
}

function AddPasskey({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const form = useForm<{ name: string }>({
    key: 'users/me/passkeys/new',
    read: { values: { name: words.thisDevice } },
    saved: words.added,
    async save(_, __, { name }) {
      const [{ item }, { startRegistration }] = await Promise.all([
        had(api.POST('/stores/{storeId}/users/me/passkey-options', { params: { path: at() } })),
        import('@simplewebauthn/browser'),
      ]);
      const response = (await startRegistration({ optionsJSON: item as never })) as never;
      await had(api.POST('/stores/{storeId}/users/me/passkeys', { params: { path: at() }, body: { name, response } }));
      onDone();
      return { values: { name } };
    },
  });
  return (
    <Dialog title={words.add} onClose={onClose}>
      <FormView form={form} saveLabel={words.add}>
        <TextField form={form} name="name" label={words.name} hint={words.nameHint} />
      </FormView>
    </Dialog>
  );
}
