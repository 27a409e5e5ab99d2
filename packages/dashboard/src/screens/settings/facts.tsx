import type { ComponentChildren } from 'preact';
import { type Fact, Facts, Money, Section, UserText } from '../../kit/index.ts';
import { countryName, formatList, formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import type { Settings, SettingsPage } from './fields.ts';

const words = t.settings;

const facts: Record<SettingsPage, (settings: Settings) => ComponentChildren> = {
  shop: ({ name, currency, timeZone }) => (
    <Section title={words.shop.title}>
      <Facts
        of={[
          [words.shop.name, <UserText key="n">{name}</UserText>],
          [words.shop.currency, currency],
          [words.shop.zone, timeZone],
        ]}
      />
    </Section>
  ),
  taxes({ taxRate, taxIncluded }) {
    const rate = formatNumber(taxRate, { style: 'percent', maximumFractionDigits: 6 });
    return (
      <Section title={words.tax.title}>
        <Facts of={[[words.tax.title, taxIncluded ? words.tax.rateIncluded(rate) : words.tax.rateAdded(rate)]]} />
      </Section>
    );
  },
  shipping: ({ shippingMethods }) => (
    <Section title={words.shipping.methods}>
      {shippingMethods.length === 0 ? (
        <p class="quiet">{words.shipping.none}</p>
      ) : (
        <Facts
          of={shippingMethods.map(
            ({ id, name, price, countries }): Fact => [
              <UserText key={id}>{name}</UserText>,
              <span key={id}>
                <Money amount={price} />
                <span class="quiet"> {countries ? formatList(countries.map(countryName)) : t.countries.all}</span>
              </span>,
            ],
          )}
        />
      )}
    </Section>
  ),
  checkout: ({ reservationMinutes, maxQuantity, returnUrls, manualPayments }) => (
    <Section title={words.checkout.title}>
      <Facts
        of={[
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
