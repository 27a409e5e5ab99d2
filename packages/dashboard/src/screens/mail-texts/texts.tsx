import { api, at, had } from '../../api/client.ts';
import { href } from '../../browser/places.ts';
import { query, setQuery } from '../../browser/router.ts';
import { Icon } from '../../icons/icon.tsx';
import { Badge, Page, Section, Shown, useLoad } from '../../kit/index.ts';
import { isOwners, kindNames, mailKinds } from '../../kit/terms/mail.ts';
import { languageName } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { languagesOf } from './places.ts';

const words = t.mails.texts;

/** The shop's own texts, and the language of the shop. */
async function readTexts(signal: AbortSignal) {
  const [{ items }, { item }] = await Promise.all([
    had(api.GET('/stores/{storeId}/mail-templates', { params: { path: at() }, signal })),
    had(api.GET('/stores/{storeId}/settings', { params: { path: at() }, signal })),
  ]);
  return { own: items, shop: item.locale };
}

/** The texts of all kinds of mail in one language, which the address names. */
export default function Texts() {
  const loaded = useLoad('mail-texts', readTexts);
  return (
    <Page title={words.title} back={{ to: 'settings?tab=mail', label: words.back }}>
      <p class="quiet">{words.hint}</p>
      <Shown of={loaded} what={words.what} rows={8}>
        {({ own, shop }) => {
          const languages = languagesOf([shop, ...own.map(({ locale }) => locale)]);
          const asked = query.value.get('language') ?? '';
          const language = languages.includes(asked) ? asked : shop;
          const isOwn = (kind: string) => own.some((one) => one.kind === kind && one.locale === language);
          return (
            <>
              <div class="field mail-language">
                <label htmlFor="mail-language">{words.language}</label>
                <select
                  id="mail-language"
                  value={language}
                  onChange={({ currentTarget: { value } }) => setQuery({ language: value })}
                >
                  {languages.map((tag) => (
                    <option key={tag} value={tag}>
                      {languageName(tag)}
                    </option>
                  ))}
                </select>
              </div>
              {[false, true].map((ofOwner) => (
                <Section key={String(ofOwner)} title={ofOwner ? t.settings.mail.toOwner : t.settings.mail.toBuyer}>
                  <ul class="mail-texts">
                    {mailKinds
                      .filter((kind) => isOwners(kind) === ofOwner)
                      .map((kind) => (
                        <li key={kind}>
                          <a href={href(`settings/mail-texts/${kind}/${language}`)}>
                            <span>
                              <strong>{kindNames[kind]}</strong>
                              <span class="quiet">{t.mails.kindHints[kind]}</span>
                            </span>
                            {isOwn(kind) ? (
                              <Badge tone="good">{words.own}</Badge>
                            ) : (
                              <span class="quiet">{words.builtIn}</span>
                            )}
                            <Icon name="next" />
                          </a>
                        </li>
                      ))}
                  </ul>
                </Section>
              ))}
            </>
          );
        }}
      </Shown>
    </Page>
  );
}
