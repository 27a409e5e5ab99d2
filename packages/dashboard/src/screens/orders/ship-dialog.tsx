import { useId } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.ts';
import { useGuard } from '../../kit/form/amount-input.tsx';
import {
  Dialog,
  Field,
  type Form,
  FormView,
  Shown,
  TextField,
  UserText,
  useForm,
  useLoad,
  wholeNumber,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { carriers, linkTo } from './carriers.ts';
import { leftToShip } from './left.ts';
import { type MoveProps, move, orStale } from './move.ts';
import type { Order } from './states.tsx';

const words = t.orders.send;

type Tracking = Schemas['Fulfilment']['tracking'];

/** The fields of a tracking; a new parcel has one for the pieces of each line, too: `pieces.<id of the line>`. */
type TrackingValues = Record<string, string> & {
  'tracking.carrier': string;
  'tracking.number': string;
  'tracking.url': string;
};

const trackingValues = (tracking: Tracking): TrackingValues => ({
  'tracking.carrier': tracking?.carrier ?? '',
  'tracking.number': tracking?.number ?? '',
  'tracking.url': tracking?.url ?? '',
});

/** The tracking of the form; null without any text. */
function trackingOf(values: TrackingValues): Tracking {
  const tracking = {
    carrier: values['tracking.carrier'].trim() || null,
    number: values['tracking.number'].trim() || null,
    url: values['tracking.url'].trim() || null,
  };
  return Object.values(tracking).some((value) => value !== null) ? tracking : null;
}

/** Carrier, number and link. The link of a carrier in the list follows the number, until another one is typed. */
function TrackingFields({ form, order }: { form: Form<TrackingValues>; order: Order }) {
  const id = useId();
  const change = (name: 'tracking.carrier' | 'tracking.number', value: string) => {
    const before = form.values.value;
    const link = (of: TrackingValues) =>
      linkTo(of['tracking.carrier'], of['tracking.number'], order.shippingAddress) ?? '';
    const isOwn = before['tracking.url'] !== '' && before['tracking.url'] !== link(before);
    form.set(name, value);
    if (!isOwn) form.set('tracking.url', link({ ...before, [name]: value }));
  };
  return (
    <>
      <p class="quiet">{words.hint}</p>
      <Field form={form} name="tracking.carrier" label={words.carrier}>
        {(control) => (
          <>
            <input
              {...control}
              list={id}
              dir="auto"
              autoComplete="off"
              placeholder="DHL"
              value={form.values.value['tracking.carrier']}
              onInput={({ currentTarget }) => change('tracking.carrier', currentTarget.value)}
            />
            <datalist id={id}>
              {carriers.map(({ name }) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field form={form} name="tracking.number" label={words.number}>
        {(control) => (
          <input
            {...control}
            dir="auto"
            autoComplete="off"
            value={form.values.value['tracking.number']}
            onInput={({ currentTarget }) => change('tracking.number', currentTarget.value)}
          />
        )}
      </Field>
      <TextField
        form={form}
        name="tracking.url"
        label={words.link}
        type="url"
        placeholder="https://"
        hint={words.linkHint}
      />
    </>
  );
}

/** Ships what is left of an order, or some pieces of it, with the tracking for its buyer. */
export function ShipDialog(props: MoveProps) {
  const { id, orderNumber, paidAt } = props.read.item;
  // Pieces that were refunded are not shipped.
  const loaded = useLoad(`orders/${id}/refunds`, async (signal) => {
    if (paidAt === null) return [];
    const params = { path: at({ id }), query: { limit: 200 } };
    return (await had(api.GET('/stores/{storeId}/orders/{id}/refunds', { params, signal }))).items;
  });
  return (
    <Dialog title={words.title(orderNumber)} onClose={props.onClose}>
      <Shown of={loaded} what={t.refunds.what} rows={3}>
        {(refunds) => <ShipForm {...props} refunds={refunds} />}
      </Shown>
    </Dialog>
  );
}

function ShipForm({ read, onDone, onStale, refunds }: MoveProps & { refunds: readonly Schemas['Refund'][] }) {
  const order = read.item;
  const { id, orderNumber } = order;
  const rows = leftToShip(order, refunds);
  const preset = Object.fromEntries(rows.map(({ item, left }) => [`pieces.${item.id}`, String(left)]));
  const quantityOf = (values: Record<string, string>, itemId: string) => wholeNumber(values[`pieces.${itemId}`] ?? '');
  const isAll = (values: TrackingValues) => rows.every(({ item, left }) => quantityOf(values, item.id) === left);
  const form: Form<TrackingValues> = useForm<TrackingValues>({
    key: `orders/${id}/send`,
    read: { values: { ...preset, ...trackingValues(null) } },
    // Read when it is sent.
    get saved(): string {
      return isAll(form.values.value) ? words.done(orderNumber) : words.someDone;
    },
    async save(_, __, all) {
      const tracking = trackingOf(all);
      if (isAll(all)) await move(read, { status: 'fulfilled', ...(tracking && { tracking }) }, onStale);
      else {
        const lines = rows
          .map(({ item }) => ({ itemId: item.id, quantity: Number(quantityOf(all, item.id)) }))
          .filter(({ quantity }) => quantity > 0);
        await orStale(() => ship(id, lines, tracking), onStale);
      }
      onDone();
      return { values: all };
    },
  });
  useGuard(form, () => {
    const quantities = rows.map(({ item }) => quantityOf(form.values.value, item.id));
    const said = rows.map(({ item, left }, i) => {
      const quantity = quantities[i];
      const isOff = typeof quantity !== 'number' || quantity < 0 || quantity > left;
      return [`pieces.${item.id}`, isOff ? words.tooMany(left) : undefined] as const;
    });
    const isEmpty = rows.length > 0 && quantities.every((quantity) => quantity === 0);
    const [first] = rows;
    return isEmpty && first ? { [`pieces.${first.item.id}`]: words.noPieces } : Object.fromEntries(said);
  });
  return (
    <FormView form={form} saveLabel={words.action}>
      {order.paidAt === null && order.status === 'pending' && <p class="notice">{words.unpaid}</p>}
      <fieldset class="pieces">
        <legend>{words.pieces}</legend>
        {rows.map(({ item, left }) => (
          <Pieces key={item.id} form={form} item={item} left={left} />
        ))}
      </fieldset>
      <TrackingFields form={form} order={order} />
    </FormView>
  );
}

/** Ships some pieces. Refusals of a line are shown at its field. */
async function ship(id: string, lines: Schemas['Fulfilment']['lines'], tracking: Tracking): Promise<void> {
  try {
    await had(
      api.POST('/stores/{storeId}/orders/{id}/fulfilments', {
        params: { path: at({ id }) },
        body: { lines, tracking },
      }),
    );
  } catch (thrown) {
    const error = toApiError(thrown);
    throw error.with(
      error.details.map((detail) => {
        const [, i] = /^lines\.(\d+)\./.exec(detail.field) ?? [];
        const line = lines[Number(i)];
        return line ? { ...detail, field: `pieces.${line.itemId}` } : detail;
      }),
    );
  }
}

/** One line of an order with the pieces of it that leave. */
function Pieces({ form, item, left }: { form: Form<TrackingValues>; item: Order['items'][number]; left: number }) {
  const id = useId();
  const name = `pieces.${item.id}` as const;
  const reason = form.errors.value[name];
  return (
    <div class="piece">
      <label htmlFor={id}>
        <UserText>{item.titleSnapshot}</UserText>{' '}
        <span class="quiet">
          <UserText>{item.variantTitle ?? Object.values(item.attributesSnapshot).join(', ')}</UserText>
        </span>
      </label>
      <span class="how-many">
        <input
          id={id}
          name={name}
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={reason ? 'true' : undefined}
          aria-describedby={`${id}-of${reason ? ` ${id}-reason` : ''}`}
          value={form.values.value[name]}
          onInput={({ currentTarget }) => form.set(name, currentTarget.value)}
        />
        <span class="quiet" id={`${id}-of`}>
          {words.ofLeft(left)}
        </span>
      </span>
      {reason && (
        <p class="reason" id={`${id}-reason`} dir="auto">
          {reason}
        </p>
      )}
    </div>
  );
}

/** Adds the tracking of a parcel, or corrects it. */
export function TrackingDialog({
  read,
  parcel,
  onDone,
  onStale,
  onClose,
}: MoveProps & { parcel: Schemas['Fulfilment'] }) {
  const { id, orderNumber } = read.item;
  const form = useForm<TrackingValues>({
    key: `orders/${id}/parcels/${parcel.id}`,
    read: { values: trackingValues(parcel.tracking) },
    saved: t.orders.tracking.saved,
    async save(_, __, all) {
      await orStale(() => changeParcel(id, parcel.id, { tracking: trackingOf(all) }), onStale);
      onDone();
      return { values: all };
    },
  });
  return (
    <Dialog title={t.orders.tracking.title(orderNumber)} onClose={onClose}>
      <FormView form={form}>
        <TrackingFields form={form} order={read.item} />
      </FormView>
    </Dialog>
  );
}

/** Changes a parcel of an order. */
export function changeParcel(id: string, fulfilment: string, body: Schemas['FulfilmentChanges']) {
  return had(
    api.PUT('/stores/{storeId}/orders/{id}/fulfilments/{fulfilment}', {
      params: { path: at({ id, fulfilment }) },
      body,
    }),
  );
}
