import { useEffect, useState } from 'preact/hooks';
import { askWays, leave, ways } from '../api/entering.ts';
import { who } from '../api/session.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { filled } from '../words/filled.ts';
import { t } from '../words/words.ts';
import { KeyForm } from './key-form.tsx';
import { PersonForm } from './person-form.tsx';

const words = t.app.signIn;

/** The command that prints a link to sign in with. */
const command = <code>commerce open</code>;

/**
 * The screen without a session.
 * @param refusal why a link or a stored key did not work
 */
export function SignIn({ refusal }: { refusal?: string | undefined }) {
  useEffect(() => {
    document.title = t.app.titleOf(words.title, t.app.name);
  }, []);
  return (
    <main class="sign-in">
      <div class="card">
        <p class="product">{t.app.name}</p>
        <h1>{words.title}</h1>
        {refusal && (
          <p class="notice bad" role="alert">
            {filled(refusal, { command })}
          </p>
        )}
        <Forms />
        <p class="quiet">{filled(words.help, { command })}</p>
      </div>
    </main>
  );
}

/** Asks to sign in again above the open screen, so that nothing typed is lost. */
export function SignInLayer({ why }: { why: 'refused' | 'idle' }) {
  return (
    <Dialog title={words.again} closes={false} onClose={() => {}}>
      <p>{why === 'idle' ? words.idle : words.ended}</p>
      <Forms />
      <Button kind="quiet" onClick={() => void leave()}>
        {words.signOut}
      </Button>
    </Dialog>
  );
}

/** People sign in with their e-mail or a passkey; a key is for those who have no account. */
function Forms() {
  const [isByKey, setByKey] = useState(who.value?.key !== undefined && who.value.key !== null);
  const { value } = ways;
  useEffect(() => {
    if (!value) void askWays().catch(() => {});
  }, []);
  // At such an address a browser keeps no session.
  if (value && !value.canKeepSessions) {
    return (
      <>
        <p class="notice">{words.plain}</p>
        <KeyForm storeId={who.value?.store.id} />
      </>
    );
  }
  return (
    <>
      {isByKey ? <KeyForm storeId={who.value?.store.id} /> : <PersonForm email={who.value?.user?.email ?? ''} />}
      <Button kind="quiet" onClick={() => setByKey(!isByKey)}>
        {isByKey ? words.byEmail : words.byKey}
      </Button>
    </>
  );
}
