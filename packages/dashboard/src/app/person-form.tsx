import { useId, useState } from 'preact/hooks';
import { askPasskey, type Choice, type Credentials, enterAsPerson, hasPasskeys, ways } from '../api/entering.ts';
import { type ApiError, toApiError } from '../api/errors.ts';
import { currentStore, who } from '../api/session.ts';
import { Button } from '../kit/button.tsx';
import { Failed } from '../kit/states.tsx';
import { t } from '../words/words.ts';

const words = t.app.signIn;

/** E-mail and password, or a passkey. */
export function PersonForm({ email }: { email: string }) {
  const id = useId();
  const [error, setError] = useState<ApiError>();
  const [missing, setMissing] = useState<'email' | 'password'>();
  const [busy, setBusy] = useState(false);
  const [choice, setChoice] = useState<{ stores: readonly Choice[]; credentials: Credentials; keep: boolean }>();
  /** The open screen belongs to one store. */
  const before = who.value?.store.id;

  const enter = async (ask: () => Promise<Credentials> | Credentials, keep: boolean, storeId = before) => {
    setBusy(true);
    setError(undefined);
    try {
      const credentials = await ask();
      const stores = await enterAsPerson(credentials, keep, storeId);
      if (stores) setChoice({ stores, credentials, keep });
      else if (before && before !== currentStore()) location.assign('.');
    } catch (thrown) {
      // The person has closed the browser's question.
      if (!(thrown instanceof Error && thrown.name === 'NotAllowedError')) setError(toApiError(thrown));
    } finally {
      setBusy(false);
    }
  };

  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const typed = { email: String(data.get('email') ?? '').trim(), password: String(data.get('password') ?? '') };
    const empty = typed.email === '' ? 'email' : typed.password === '' ? 'password' : undefined;
    setMissing(empty);
    if (empty) form.querySelector<HTMLElement>(`[name=${empty}]`)?.focus();
    else void enter(() => typed, data.has('keep'));
  };

  if (choice) {
    const { stores, credentials, keep } = choice;
    return (
      <>
        <p>{words.choose}</p>
        <ul class="choices">
          {stores.map((store) => (
            <li key={store.id}>
              {/* A passkey answers once, so that it is asked again. */}
              <Button
                busy={busy}
                onClick={() =>
                  void enter(
                    'passkey' in credentials ? async () => ({ passkey: await askPasskey() }) : () => credentials,
                    keep,
                    store.id,
                  )
                }
              >
                <bdi>{store.name}</bdi>
              </Button>
            </li>
          ))}
        </ul>
        {error && <Refusal error={error} />}
      </>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
    >
      <div class="field">
        <label htmlFor={`${id}-email`}>{words.email}</label>
        <input
          id={`${id}-email`}
          name="email"
          type="email"
          autoComplete="username webauthn"
          defaultValue={email}
          aria-invalid={missing === 'email' || undefined}
          aria-describedby={missing === 'email' ? `${id}-missing` : undefined}
        />
        {missing === 'email' && (
          <p class="reason" id={`${id}-missing`}>
            {words.emailMissing}
          </p>
        )}
      </div>
      <div class="field">
        <label htmlFor={`${id}-password`}>{words.password}</label>
        <input
          id={`${id}-password`}
          name="password"
          type="password"
          autoComplete="current-password"
          aria-invalid={missing === 'password' || undefined}
          aria-describedby={missing === 'password' ? `${id}-missing` : undefined}
        />
        {missing === 'password' && (
          <p class="reason" id={`${id}-missing`}>
            {words.passwordMissing}
          </p>
        )}
      </div>
      <label class="check">
        <input type="checkbox" name="keep" />
        {words.keep}
      </label>
      {error && <Refusal error={error} />}
      <Button kind="primary" type="submit" busy={busy}>
        {busy ? words.busy : words.submit}
      </Button>
      {ways.value && hasPasskeys(ways.value) && (
        <Button
          icon="lock"
          busy={busy}
          onClick={() => {
            const keep = document.querySelector<HTMLInputElement>('[name=keep]')?.checked ?? false;
            void enter(async () => ({ passkey: await askPasskey() }), keep);
          }}
        >
          {words.withPasskey}
        </Button>
      )}
    </form>
  );
}

function Refusal({ error }: { error: ApiError }) {
  if (error.status !== 401 && error.status !== 429) return <Failed error={error} />;
  const minutes = Math.max(1, Math.ceil((error.retryAfter ?? 60) / 60));
  return (
    <p class="reason" role="alert">
      {error.status === 401 ? words.refused : words.tooMany(minutes)}
    </p>
  );
}
