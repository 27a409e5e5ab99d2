import type { ComponentChildren } from 'preact';
import { type Fact, Facts, Money, Section, UserText } from '../../kit/index.ts';
import { kindNames, mailKinds } from '../../kit/terms/mail.ts';
import { countryName, formatList, formatNumber, languageName } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { classText } from '../goods/tax-class.ts';
import { columnText } from './form/feed-fields.ts';
import type { Settings, SettingsPage } from './form/fields.ts';
import { methodFacts } from './shipping/facts.ts';
import { factsOf } from './ways-to-pay.tsx';

const words = t.settings;

const facts: Record<SettingsPage, (settings: Settings) => ComponentChildren> = {
  shop: ({ name, currency, timeZone, country, locale, productUrl, pageUrl, orderUrl }) => (
    <Section title={words.shop.title}>
      <Facts
        of={[
          [words.shop.name, <UserText key="n">{name}</UserText>],
          [words.shop.currency, currency],
          [words.shop.zone, timeZone],
          [words.pagesOfShop.country, country ? countryName(country) : words.pagesOfShop.noCountry],
          [words.pagesOfShop.language, languageName(locale)],
          [words.pagesOfShop.productUrl, <UserText key="p">{productUrl ?? t.kit.none}</UserText>],
          [words.pagesOfShop.pageUrl, <UserText key="u">{pageUrl ?? t.kit.none}</UserText>],
          [words.pagesOfShop.orderUrl, <UserText key="o">{orderUrl ?? t.kit.none}</UserText>],
        ]}
      />
    </Section>
  ),
  seller: ({ seller, pages }) => (
    <>
      <Section title={words.seller.title}>
        {seller ? (
          <Facts
            of={Object.entries(seller).flatMap(([name, value]): Fact[] =>
              value === null
                ? []
                : [[words.seller[name as keyof typeof seller], <UserText key={name}>{value}</UserText>]],
            )}
          />
        ) : (
          <p class="quiet">{words.seller.none}</p>
        )}
      </Section>
      <Section title={words.seller.texts.title}>
        <Facts
          of={Object.entries(pages).map(
            ([name, id]): Fact => [
              words.seller.texts[name as keyof typeof pages],
              id === null ? words.seller.texts.none : words.seller.texts.chosen,
            ],
          )}
        />
      </Section>
    </>
  ),
  parties: ({ parties }) => (
    <Section title={words.parties.title}>
      {parties.length === 0 ? (
        <p class="quiet">{words.parties.none}</p>
      ) : (
        <Facts
          of={parties.map(
            ({ id, name, address, email, url }): Fact => [
              <UserText key={id}>{name}</UserText>,
              <UserText key={`${id} facts`}>{[address, email, url].filter(Boolean).join('\n')}</UserText>,
            ],
          )}
        />
      )}
    </Section>
  ),
  feed: ({ feed: { enabled, targetCountries, columns } }) => (
    <Section title={words.feed.title}>
      <Facts
        of={[
          [words.feed.enabled, enabled ? words.checkout.yes : words.checkout.no],
          [
            words.feed.countries,
            targetCountries ? formatList(targetCountries.map(countryName)) : words.feed.countriesOfShipping,
          ],
          ...Object.entries(columns).map(
            ([column, attribute]): Fact => [columnText(column), <UserText key={column}>{attribute}</UserText>],
          ),
        ]}
      />
    </Section>
  ),
  agents: ({ ucp: { enabled, host } }) => (
    <Section title={words.agents.title}>
      <Facts
        of={[
          [words.agents.enabled, enabled ? words.checkout.yes : words.checkout.no],
          [words.agents.host, <UserText key="host">{host}</UserText>],
        ]}
      />
    </Section>
  ),
  taxes({ taxRate, taxIncluded, taxes }) {
    const rate = formatNumber(taxRate, { style: 'percent', maximumFractionDigits: 6 });
    return (
      <Section title={words.tax.title}>
        <Facts
          of={[
            [words.tax.title, taxIncluded ? words.tax.rateIncluded(rate) : words.tax.rateAdded(rate)],
            ...(taxes?.rates.map(
              (row): Fact => [
                [countryName(row.country), row.region].filter(Boolean).join(', '),
                `${classText(row.class)}: ${formatNumber(row.rate, { style: 'percent', maximumFractionDigits: 6 })}`,
              ],
            ) ?? []),
          ]}
        />
      </Section>
    );
  },
  shipping: ({ shippingMethods, currency }) => (
    <Section title={words.shipping.methods}>
      {shippingMethods.length === 0 ? (
        <p class="quiet">{words.shipping.none}</p>
      ) : (
        <Facts
          of={shippingMethods.map(
            (method): Fact => [
              <UserText key={method.id}>{method.name}</UserText>,
              <span key={method.id}>
                {methodFacts(method, currency)}
                {!method.active && <span class="quiet"> ({words.ways.off})</span>}
              </span>,
            ],
          )}
        />
      )}
    </Section>
  ),
  ways: ({ paymentMethods, maxOpenOffline, currency }) => (
    <>
      <Section title={words.ways.title}>
        {paymentMethods.length === 0 ? (
          <p class="quiet">{words.ways.empty}</p>
        ) : (
          <Facts
            of={paymentMethods.map(
              (way): Fact => [
                <UserText key={way.id}>{way.name}</UserText>,
                <span key={way.id}>
                  {factsOf(way, currency)}
                  {!way.active && <span class="quiet"> ({words.ways.off})</span>}
                </span>,
              ],
            )}
          />
        )}
      </Section>
      <Section title={words.ways.open}>
        <Facts of={[[words.ways.max, formatNumber(maxOpenOffline)]]} />
      </Section>
    </>
  ),
  invoices: ({ invoices: { enabled, on, prefix, creditPrefix, keepYears } }) => (
    <Section title={words.invoices.title}>
      {enabled ? (
        <Facts
          of={[
            [words.invoices.on, words.invoices.moments[on]],
            [words.invoices.prefix, prefix],
            [words.invoices.creditPrefix, creditPrefix],
            [words.invoices.keepYears, formatNumber(keepYears)],
          ]}
        />
      ) : (
        <p class="quiet">{words.invoices.off}</p>
      )}
    </Section>
  ),
  mail: ({ mail: { from, replyTo, ownerAddress, smtp, kinds, footer } }) => (
    <Section title={words.mail.title}>
      <Facts
        of={[
          [words.mail.from, <UserText key="f">{from ?? t.kit.none}</UserText>],
          [words.mail.replyTo, <UserText key="r">{replyTo ?? t.kit.none}</UserText>],
          [words.mail.ownerAddress, <UserText key="o">{ownerAddress ?? t.kit.none}</UserText>],
          [words.mail.server, <UserText key="s">{smtp ? `${smtp.host}:${smtp.port}` : t.kit.none}</UserText>],
          [words.mail.kinds, formatList(mailKinds.filter((kind) => kinds[kind]).map((kind) => kindNames[kind]))],
          [words.mail.footer, <UserText key="l">{footer ?? t.kit.none}</UserText>],
        ]}
      />
    </Section>
  ),
  checkout: ({ minSubtotal, reservationMinutes, maxQuantity, returnUrls, manualPayments }) => (
    <Section title={words.checkout.title}>
      <Facts
        of={[
          [words.pagesOfShop.minSubtotal, minSubtotal ? <Money key="m" amount={minSubtotal} /> : t.kit.none],
          [words.checkout.reservation, formatNumber(reservationMinutes)],
          [words.checkout.quantity, formatNumber(maxQuantity)],
          [words.checkout.origins, <UserText key="r">{returnUrls.join(', ') || t.kit.none}</UserText>],
          [words.checkout.manual, manualPayments ? words.checkout.yes : words.checkout.no],
        ]}
      />
    </Section>
  ),
};

/** The settings of a page, for a key that only reads them. */
export function SettingFacts({ page, settings }: { page: SettingsPage; settings: Settings }) {
  return <>{facts[page](settings)}</>;
}
