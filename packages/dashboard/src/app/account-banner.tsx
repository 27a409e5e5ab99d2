import { who } from '../api/session.ts';
import { place } from '../browser/router.ts';
import { LinkButton } from '../kit/button.tsx';
import { t } from '../words/words.ts';

const words = t.account;

/** Reminds a person who has signed in by a link that the link does not work again. */
export function AccountBanner() {
  const user = who.value?.user;
  if (!user || user.canSignIn || place.value.path === 'account') return null;
  return (
    <div class="notice account">
      <p>{user.id === null ? words.bannerLink : words.bannerSecret}</p>
      <LinkButton to="account">{user.id === null ? words.create : words.secure}</LinkButton>
    </div>
  );
}
