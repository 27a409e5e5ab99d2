import { useId } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.ts';
import { useGuard } from '../../kit/form/amount-input.tsx';
import {
  atPieces,
  Dialog,
  Field,
  type Form,
  FormView,
  PiecesField,
  piecesName,
  piecesOf,
  piecesRefusal,
  Shown,
  TextField,
  useForm,
  useLoad,
  useOnce,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { loadMadeRefunds } from '../refunds/load.ts';
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
    return paidAt === null ? [] : loadMadeRefunds(id, signal);
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
  const preset = Object.fromEntries(rows.map(({ item, left }) => [piecesName(item.id), String(left)]));
  const typedOf = (values: Record<string, string>, itemId: string) => values[piecesName(itemId)] ?? '';
  const chosen = (values: Record<string, string>) =>
    rows.map(({ item, left }) => ({ itemId: item.id, left, quantity: piecesOf(typedOf(values, item.id), left) ?? 0 }));
  const once = useOnce();
  const form = useForm<TrackingValues>({
    key: `orders/${id}/send`,
    read: { values: { ...preset, ...trackingValues(null) } },
    async save(_, __, all) {
      const tracking = trackingOf(all);
      const pieces = chosen(all);
      const isAll = pieces.every(({ left, quantity }) => quantity === left);
      if (isAll) await move(read, { status: 'fulfilled', ...(tracking && { tracking }) }, onStale);
      else {
        const lines = pieces.flatMap(({ itemId, quantity }) => (quantity > 0 ? [{ itemId, quantity }] : []));
        const send: Parameters<typeof ship>[1] = (run) => once(all, () => ({ lines, tracking }), run);
        await orStale(() => ship(id, send), onStale);
      }
      onDone();
      return { values: all, said: isAll ? words.done(orderNumber) : words.someDone };
    },
  });
  useGuard(form, () => {
    const values = form.values.value;
    const isEmpty = rows.every(({ item, left }) => piecesOf(typedOf(values, item.id), left) === 0);
    const [first] = rows;
    if (isEmpty && first) return { [piecesName(first.item.id)]: words.noPieces };
    return Object.fromEntries(
      rows.map(({ item, left }) => [piecesName(item.id), piecesRefusal(typedOf(values, item.id), left)]),
    );
  });
  if (rows.length === 0) return <p>{words.nothingLeft}</p>;
  return (
    <FormView form={form} saveLabel={words.action}>
      {order.paidAt === null && order.status === 'pending' && <p class="notice">{words.unpaid}</p>}
      <fieldset class="pieces">
        <legend>{words.pieces}</legend>
        {rows.map(({ item, left }) => (
          <PiecesField key={item.id} form={form} item={item} left={left} />
        ))}
      </fieldset>
      <TrackingFields form={form} order={order} />
    </FormView>
  );
}

type Parcel = Pick<Schemas['Fulfilment'], 'lines' | 'tracking'>;
type Send = (header: { 'Idempotency-Key': string }, body: Parcel) => Promise<unknown>;

/** Ships some pieces. Refusals of a line are shown at its field. @param once sends the parcel only once */
async function ship(id: string, once: (send: Send) => Promise<unknown>): Promise<void> {
  await once(async (header, body) => {
    try {
      await had(api.POST('/stores/{storeId}/orders/{id}/fulfilments', { params: { path: at({ id }), header }, body }));
    } catch (thrown) {
      throw atPieces(toApiError(thrown), body.lines);
    }
  });
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
