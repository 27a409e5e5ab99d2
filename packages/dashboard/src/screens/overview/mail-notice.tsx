import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { Icon } from '../../icons/icon.tsx';
import { type Loaded, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { type MailState, type Newest, stateOf } from './mail-state.ts';

const words = t.home.mail;

/** Newest mails that are looked at. */
const looked = 200;

/** How the mail of the shop is doing, as far as the key may see it; failed mails are looked for only if there are some. */
export function useMailState(): Loaded<MailState> {
  return useLoad('mail', async (signal) => {
    const mails = async (query: { status?: 'failed' }): Promise<Newest[]> =>
      (
        await had(
          api.GET('/stores/{storeId}/mails', { params: { path: at(), query: { ...query, limit: looked } }, signal }),
        )
      ).items;
    const [settings, failed] = await Promise.all([
      can('settings.read')
        ? had(api.GET('/stores/{storeId}/settings', { params: { path: at() }, signal })).then(({ item }) => item.mail)
        : undefined,
      can('mail.read') ? mails({ status: 'failed' }) : [],
    ]);
    return stateOf(settings, failed, failed.length > 0 ? await mails({}) : [], Date.now());
  });
}

/** What is to be done about mail: it is not set up although a kind is on, or some were not sent. */
export function MailNotice({ state, isNew }: { state: MailState; isNew: boolean }) {
  // The list of a new shop has a step for it.
  const lines = [
    ...(state.isMissing && !isNew ? [{ text: words.notSetUp, to: 'settings?tab=mail', action: words.setUp }] : []),
    ...(state.failed > 0 ? [{ text: words.failed(state.failed), to: 'mails?tab=failed', action: t.mails.title }] : []),
  ];
  return (
    <>
      {lines.map(({ text, to, action }) => (
        <div key={to} class="notice">
          <Icon name="mail" />
          <p>{text}</p>
          <a href={href(to)}>{action}</a>
        </div>
      ))}
    </>
  );
}
