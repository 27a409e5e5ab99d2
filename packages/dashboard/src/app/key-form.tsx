import { useId, useState } from 'preact/hooks';
import { enterWithKey } from '../api/entering.ts';
import { type ApiError, toApiError } from '../api/errors.ts';
import { Button } from '../kit/button.tsx';
import { Failed } from '../kit/states.tsx';
import { filled } from '../words/filled.ts';
import { t } from '../words/words.ts';

/** The id of the store, and a key. */
export function KeyForm({ storeId: known }: { storeId?: string | undefined }) {
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
        <label htmlFor={`${id}-store`}>{t.app.signIn.store}</label>
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
            {t.app.signIn.storeMissing}
          </p>
        )}
      </div>
      <div class="field">
        <label htmlFor={`${id}-key`}>{t.app.signIn.key}</label>
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
            {t.app.signIn.keyMissing}
          </p>
        )}
        <p class="hint" id={`${id}-hint`}>
          {filled(t.app.signIn.keyHint, { start: <code>ck_live_</code> })}
        </p>
      </div>
      <label class="check">
        <input type="checkbox" name="device" />
        {t.app.signIn.stay}
      </label>
      {error &&
        (isWrong ? (
          <p class="reason" role="alert">
            {t.app.signIn.wrong}
          </p>
        ) : (
          <Failed error={error} />
        ))}
      <Button kind="primary" type="submit" busy={busy}>
        {busy ? t.app.signIn.busy : t.app.signIn.submit}
      </Button>
    </form>
  );
}
