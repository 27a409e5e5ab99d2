import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import type { Schemas } from '../../api/types.ts';
import { ChecksField, FormView, Section, useForm } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { readProvider } from './read-provider.ts';
import { isDelayed, methodGroups } from './stripe-methods.ts';

const words = t.payments.pageMethods;

type Provider = Schemas['PaymentProvider'];

/** What pages of Stripe offered before a shop could choose. */
const earlier = ['card'];

const chosenIn = ({ settings }: Provider): string[] => {
  const stored = settings?.methods;
  const chosen: readonly unknown[] = Array.isArray(stored) ? stored : earlier;
  // In the order of the groups, so that the same choice is not a change.
  return methodGroups.flatMap(({ options }) => options.flatMap(([value]) => (chosen.includes(value) ? [value] : [])));
};

const toRead = ({ item, etag }: Versioned<Provider>) => ({ values: { methods: chosenIn(item) }, etag });

/** The ways to pay on the pages of Stripe. */
export function PageMethods({ read, onSaved }: { read: Versioned<Provider>; onSaved(now: Versioned<Provider>): void }) {
  const form = useForm<{ methods: string[] }>({
    labels: { methods: words.title },
    key: 'payment-providers/stripe/methods',
    read: toRead(read),
    reread: async () => toRead((await readProvider('stripe')) ?? read),
    saved: words.saved,
    async save(_, etag, { methods }) {
      const saved = await hadItem(
        api.PUT('/stores/{storeId}/payment-providers/{provider}', {
          params: { path: at({ provider: 'stripe' }), header: { 'If-Match': etag } },
          body: { methods, allowDelayed: methods.some(isDelayed) } as Schemas['PaymentProviderInput'],
        }),
      );
      onSaved(saved);
      return toRead(saved);
    },
  });
  return (
    <Section title={words.title}>
      <FormView form={form}>
        <ChecksField form={form} name="methods" label={words.label} hint={words.hint} groups={methodGroups} />
        <p class="quiet">{words.delayedHint}</p>
      </FormView>
    </Section>
  );
}
