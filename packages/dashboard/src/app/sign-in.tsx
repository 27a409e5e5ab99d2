import { useEffect, useId, useState } from 'preact/hooks';
import { type ApiError, toApiError } from '../api/errors.ts';
import { who } from '../api/session.ts';
import { Icon } from '../icons/icon.tsx';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Failed } from '../kit/states.tsx';
import { enterWithKey, leave } from './entering.ts';

/**
 * The screen without a session.
 * @param refusal why a link or a stored key did not work
 */
export function SignIn({ refusal }: { refusal?: string | undefined }) {
  useEffect(() => {
    document.title = 'Sign in · Commerce';
  }, []);
  return (
    <main class="sign-in">
      <div class="card">
        <h1>
          <Icon name="orders" />
          Sign in
        </h1>
        {refusal && (
          <p class="notice bad" role="alert">
            {refusal}
          </p>
        )}
        <SignInForm />
      </div>
    </main>
  );
}

/** Asks for the key again above the open screen, so that nothing typed is lost. */
export function SignInLayer({ why }: { why: 'refused' | 'idle' }) {
  return (
    <Dialog title="Sign in again" closes={false} onClose={() => {}}>
      <p>
        {why === 'idle'
          ? 'You were inactive for half an hour, so you were signed out.'
          : 'The key has expired or was revoked.'}{' '}
        Your input is kept.
      </p>
      <SignInForm storeId={who.value?.store.id} />
      <Button kind="quiet" onClick={() => void leave()}>
        Sign out instead
      </Button>
    </Dialog>
  );
}

function SignInForm({ storeId: known }: { storeId?: string | undefined }) {
  const id = useId();
  const [error, setError] = useState<ApiError>();
  const [missing, setMissing] = useState<'store' | 'key'>();
  const [busy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const storeId = String(data.get('username') ?? '').trim();
    const key = String(data.get('password') ?? '').trim();
    const empty = storeId === '' ? 'store' : key === '' ? 'key' : undefined;
    setMissing(empty);
    setError(undefined);
    if (empty) {
      form.querySelector<HTMLElement>(empty === 'store' ? '[name=username]' : '[name=password]')?.focus();
      return;
    }
    setBusy(true);
    try {
      await enterWithKey(storeId, key, data.get('device') ? 'device' : 'tab');
      // The open screen belongs to one store.
      if (known && known !== storeId) location.assign('.');
    } catch (thrown) {
      setError(toApiError(thrown));
    } finally {
      setBusy(false);
    }
  };
  const isWrong = error && [401, 403, 404].includes(error.status);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <div class="field">
        <label htmlFor={`${id}-store`}>Store id</label>
        <input
          id={`${id}-store`}
          name="username"
          autoComplete="username"
          spellcheck={false}
          defaultValue={known ?? ''}
          aria-invalid={missing === 'store' || undefined}
          aria-describedby={missing === 'store' ? `${id}-missing` : undefined}
        />
        {missing === 'store' && (
          <p class="reason" id={`${id}-missing`}>
            The id of the store is missing.
          </p>
        )}
      </div>
      <div class="field">
        <label htmlFor={`${id}-key`}>API key</label>
        <input
          id={`${id}-key`}
          name="password"
          type="password"
          autoComplete="current-password"
          spellcheck={false}
          aria-invalid={missing === 'key' || isWrong || undefined}
          aria-describedby={missing === 'key' ? `${id}-missing` : `${id}-hint`}
        />
        {missing === 'key' && (
          <p class="reason" id={`${id}-missing`}>
            The key is missing.
          </p>
        )}
        <p class="hint" id={`${id}-hint`}>
          A secret key, <code>ck_live_…</code>. Screens outside its scopes are hidden. `commerce dashboard` prints a
          link that signs in without a key.
        </p>
      </div>
      <label class="check">
        <input type="checkbox" name="device" />
        Keep me signed in on this device
      </label>
      {error &&
        (isWrong ? (
          <p class="reason" role="alert">
            This key is not valid for the store: it was mistyped or revoked, or belongs to another store.
          </p>
        ) : (
          <Failed error={error} />
        ))}
      <Button kind="primary" type="submit" busy={busy}>
        {busy ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}
