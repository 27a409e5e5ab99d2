import { useEffect, useState } from 'preact/hooks';
import { api, at, had } from '../api/client.ts';
import { who } from '../api/session.ts';
import { place } from '../browser/router.ts';
import { LinkButton } from '../kit/button.tsx';
import { t } from '../words/words.ts';

const words = t.account;

/** Reminds a person who has signed in by a link that the link does not work again. */
export function AccountBanner() {
  const user = who.value?.user;
  const { path } = place.value;
  const [lacksSecret, setLacks] = useState(false);
  const id = user?.id;
  // Asked again after each visit of the account, where a password is set.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place
  useEffect(() => {
    if (!id || path === 'account') return;
    const call = api.GET('/stores/{storeId}/users/me', { params: { path: at() } });
    had(call).then(
      ({ item }) => setLacks(!item.hasPassword && item.passkeys.length === 0),
      () => {},
    );
  }, [id, path === 'account']);
  if (!user || path === 'account' || (id !== null && !lacksSecret)) return null;
  return (
    <div class="notice account">
      <p>{id === null ? words.bannerLink : words.bannerSecret}</p>
      <LinkButton to="account">{id === null ? words.create : words.secure}</LinkButton>
    </div>
  );
}
