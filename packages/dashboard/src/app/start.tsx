import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { askWays, enterAgain, enterWithCode, takeCode } from '../api/entering.ts';
import { type ApiError, toApiError } from '../api/errors.ts';
import { explain } from '../api/explain.ts';
import { currentKey, onSignInElsewhere, session } from '../api/session.ts';
import { startRouter } from '../browser/router.ts';
import { startKeyboard } from '../browser/shortcuts.ts';
import { Button } from '../kit/button.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { t } from '../words/words.ts';
import { Frame } from './frame.tsx';
import { watchIdle } from './idle.ts';
import { SignIn } from './sign-in.tsx';

/** The code of a link, until a try with it was answered. */
let code = takeCode();
let wasLink = code !== undefined;

/** The dashboard, once the session is known. */
function App() {
  const [error, setError] = useState<ApiError>();
  const [isEntering, setEntering] = useState(true);
  /** A link was opened in a browser that is signed in: it can lead to the shop of whoever has sent it. */
  const [asks, setAsks] = useState(false);
  const enter = async (isSure = false) => {
    setEntering(true);
    setError(undefined);
    setAsks(false);
    try {
      if (code && !isSure && (currentKey() || (await askWays()) !== null)) setAsks(true);
      else if (code) {
        await enterWithCode(code);
        code = undefined;
      } else await enterAgain();
    } catch (thrown) {
      const refusal = toApiError(thrown);
      if (code && refusal.status > 0 && refusal.status < 500) {
        code = undefined;
        // A link that was opened twice does not sign a user out.
        wasLink = false;
        await enterAgain().catch(() => {});
        if (session.value.state === 'in') return;
        wasLink = true;
      }
      setError(refusal);
    } finally {
      setEntering(false);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    void enter();
    onSignInElsewhere(() => void enter());
    // A link that is pasted into this tab changes only the fragment, so the page is not loaded again.
    addEventListener('hashchange', () => {
      code = takeCode();
      if (!code) return;
      wasLink = true;
      void enter();
    });
  }, []);
  if (asks) {
    return (
      <main class="sign-in">
        <div class="card">
          <h1>{t.app.signIn.useLink}</h1>
          <p>{t.app.signIn.useLinkText}</p>
          <Button kind="primary" onClick={() => void enter(true)}>
            {t.app.signIn.useLinkYes}
          </Button>
          <Button
            onClick={() => {
              code = undefined;
              void enter();
            }}
          >
            {t.app.signIn.useLinkNo}
          </Button>
        </div>
      </main>
    );
  }
  const { state } = session.value;
  if (state === 'in' || state === 'ended') return <Frame />;
  if (isEntering) return <Skeleton rows={3} />;
  if (state === 'known' && error) {
    return (
      <main class="sign-in">
        <Failed error={error} what={t.app.signIn.dashboard} onRetry={() => void enter()} />
      </main>
    );
  }
  return <SignIn refusal={error && refusalOf(error)} />;
}

/** @returns a sentence with a place for `{command}` */
function refusalOf(error: ApiError): string {
  const { status } = error;
  if (wasLink && (status === 401 || status === 400 || status === 404)) {
    return t.app.signIn.linkUsed;
  }
  return status === 401 || status === 403 || status === 404 ? t.app.signIn.keptInvalid : explain(error).join('. ');
}

/** Shows the dashboard in the page. */
export function start(): void {
  startRouter();
  startKeyboard();
  watchIdle();
  const place = document.getElementById('app');
  if (place) {
    place.replaceChildren();
    render(<App />, place);
  }
}
