import { useRef, useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { can, who } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { navigate } from '../../browser/router.ts';
import { Button, FormView, Page, Shown, useForm, useLoad } from '../../kit/index.ts';
import { inTaxWords } from '../../kit/terms/tax.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { AddressSections, CustomerSection } from './buyer-sections.tsx';
import { ChargesSection } from './charges-section.tsx';
import { ItemsSection, lineFields } from './items-section.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { blank, checkoutBody, type NewOrderValues, orderBody } from './values.ts';
import { loadWays, type Ways } from './ways.ts';

const words = t.newOrder;

/** A new order that the shop takes itself, such as one by phone. */
export default function NewOrder() {
  const loaded = useLoad('new-order', loadWays);
  return (
    <Page title={words.title} back={{ to: 'orders', label: t.orders.title }}>
      <Shown of={loaded} what={t.settings.what} rows={8}>
        {(ways) => <OrderForm ways={ways} />}
      </Shown>
    </Page>
  );
}

/** What becomes of the order: a page to pay at, a payment that was received, or nothing yet. */
type Deed = 'link' | 'payment' | 'save';

function OrderForm({ ways }: { ways: Ways }) {
  const { settings, providers, isOpen } = ways;
  const currency = who.value?.store.currency ?? settings.currency;
  const [origin] = settings.returnUrls;
  const canLink = can('checkout.write') && providers.length > 0 && origin !== undefined;
  const canPay = can('payment.write') && settings.manualPayments && (isOpen || canLink);
  /** The deed of the main button, and of the keys that save. */
  const main: Deed = canLink ? 'link' : 'save';
  const deed = useRef<Deed>(main);
  const [made, setMade] = useState<{ orderId: string; url: string | null; expiresAt: string | null }>();
  const last = useRef<{ body: string; key: string }>(undefined);
  /** The same key for the same request, so that a repeated one makes no second order. */
  const keyFor = (what: unknown) => {
    const body = JSON.stringify(what);
    if (last.current?.body !== body) last.current = { body, key: crypto.randomUUID() };
    return { 'Idempotency-Key': last.current.key };
  };
  const byCheckout = async (values: NewOrderValues) => {
    const body = checkoutBody(values, currency, origin ?? '');
    const params = { path: at(), header: keyFor(body) };
    return (await had(api.POST('/stores/{storeId}/checkouts', { params, body }))).item;
  };
  const byOrder = async (values: NewOrderValues) => {
    const body = orderBody(values, currency);
    const params = { path: at(), header: keyFor(body) };
    return (await had(api.POST('/stores/{storeId}/orders', { params, body }))).item;
  };
  const form = useForm<NewOrderValues>({
    key: 'orders/new',
    read: {
      values: {
        ...blank,
        shippingMethodId: settings.shippingMethods.find(({ active, kind }) => active && kind === 'ship')?.id ?? '',
      },
    },
    saved: words.created,
    places: ({ items }) => items.flatMap((_, i) => lineFields.map((name) => `items.${i}.${name}`)),
    async save(_, __, all) {
      const inWords = (thrown: unknown) => {
        throw inTaxWords(toApiError(thrown));
      };
      if (deed.current === 'link' || !isOpen) {
        const { orderId, url, expiresAt } = await byCheckout(all).catch(inWords);
        setMade({ orderId, url, expiresAt });
        next.current = { orderId, hasLink: deed.current === 'link' && url !== null };
      } else {
        next.current = { orderId: (await byOrder(all).catch(inWords)).id, hasLink: false };
      }
      return { values: all };
    },
    onSaved() {
      const { orderId, hasLink } = next.current ?? {};
      if (!orderId || hasLink) return;
      void navigate(`orders/${orderId}${deed.current === 'payment' ? '?pay=1' : ''}`, { replace: true });
    },
  });
  const next = useRef<{ orderId: string; hasLink: boolean }>(undefined);
  const run = async (what: Deed) => {
    deed.current = what;
    await form.save();
    deed.current = main;
  };
  if (!canLink && !isOpen) return <Closed ways={ways} />;
  return (
    <>
      <FormView
        form={form}
        saveLabel={canLink ? words.link : words.save}
        actions={
          <>
            {canLink && isOpen && <Button onClick={() => void run('save')}>{words.save}</Button>}
            {canPay && <Button onClick={() => void run('payment')}>{words.payment}</Button>}
          </>
        }
      >
        <div class="columns">
          <ItemsSection form={form} currency={currency} mayReprice={isOpen} />
          <div class="aside">
            <CustomerSection form={form} />
          </div>
          <div>
            <AddressSections form={form} />
            <ChargesSection form={form} ways={ways} currency={currency} />
            <Hints ways={ways} canLink={canLink} />
          </div>
        </div>
      </FormView>
      {made?.url && next.current?.hasLink && (
        <LinkDialog
          url={made.url}
          expiresAt={made.expiresAt}
          onClose={() => void navigate(`orders/${made.orderId}`, { replace: true })}
        />
      )}
    </>
  );
}

/** What is missing for the ways that are not offered, with the place to change it. */
function Hints({ ways: { settings, providers }, canLink }: { ways: Ways; canLink: boolean }) {
  return (
    <>
      {!settings.manualPayments && (
        <p class="notice">
          {filled(words.manualOff, { link: <a href={href('settings?tab=checkout')}>{words.toSettings}</a> })}
        </p>
      )}
      {!canLink && <p class="notice">{missing(providers.length > 0)}</p>}
    </>
  );
}

const missing = (hasProvider: boolean) =>
  hasProvider
    ? filled(words.noOrigin, { link: <a href={href('settings?tab=checkout')}>{words.toSettings}</a> })
    : filled(words.noProvider, { link: <a href={href('payments/providers')}>{words.toProviders}</a> });

/** Neither a payment page nor an order without one can be made. */
function Closed({ ways: { providers } }: { ways: Ways }) {
  return (
    <div class="notice">
      <div>
        <p>{missing(providers.length > 0)}</p>
        <p class="quiet">{words.closed}</p>
      </div>
    </div>
  );
}
