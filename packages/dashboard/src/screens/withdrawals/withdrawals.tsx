import { api, at, had } from '../../api/client.ts';
import type { Page as RowPage } from '../../api/types.ts';
import { query } from '../../browser/router.ts';
import { type Column, List, Page, Tabs, Time, UserText } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { Due, Who, WithdrawalState } from './parts.tsx';
import type { Withdrawal } from './proposal.ts';

const words = t.withdrawals;

const columns: readonly Column<Withdrawal>[] = [
  { label: words.columns.who, cell: ({ name }) => <Who name={name} />, card: 'title' },
  { label: words.columns.order, cell: ({ orderNumber }) => <UserText>{orderNumber}</UserText>, card: 'meta' },
  { label: words.columns.received, cell: ({ receivedAt }) => <Time at={receivedAt} age /> },
  { label: words.columns.due, cell: (one) => <Due withdrawal={one} />, card: 'amount' },
  { label: words.columns.status, cell: ({ status }) => <WithdrawalState status={status} />, card: 'state' },
];

const tabs = Object.entries(words.tabs).map(([value, label]) => ({ value, label }));
const isTab = (name: string): name is keyof typeof words.tabs => Object.hasOwn(words.tabs, name);

interface Window {
  limit: number;
  offset: number;
}

type Status = Withdrawal['status'];

async function load(status: Status | undefined, window: Window, signal: AbortSignal): Promise<RowPage<Withdrawal>> {
  const params = { path: at(), query: { ...(status ? { status } : {}), ...window } };
  return had(api.GET('/stores/{storeId}/withdrawals', { params, signal }));
}

/** Most withdrawals of a status that are sorted here, and those of one request. */
const maxSorted = 1000;
const limit = 200;

/** All of a status, up to a number. */
async function all(status: Status, signal: AbortSignal): Promise<Withdrawal[]> {
  const found: Withdrawal[] = [];
  for (let total = 1; found.length < Math.min(total, maxSorted); ) {
    const page = await load(status, { limit, offset: found.length }, signal);
    found.push(...page.items);
    total = page.items.length === 0 ? 0 : page.total;
  }
  return found;
}

/** Those that are not closed, the most urgent first. The interface lists one status at a time. */
async function loadOpen({ limit: most, offset }: Window, signal: AbortSignal): Promise<RowPage<Withdrawal>> {
  const open = (await Promise.all([all('received', signal), all('matched', signal)])).flat();
  open.sort((a, b) => (a.dueAt < b.dueAt ? -1 : 1));
  return { items: open.slice(offset, offset + most), total: open.length };
}

/** Statements of customers that they withdraw from an order: first those that are open, by the day of their refund. */
export default function Withdrawals() {
  const asked = query.value.get('tab') ?? '';
  const tab = isTab(asked) ? asked : 'open';
  return (
    <Page title={words.title}>
      <Tabs name="tab" label={words.views} tabs={tabs} />
      <List<Withdrawal>
        key={tab}
        what={words.many}
        also={['tab']}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => words.named(name)}
        to={({ id }) => `withdrawals/${id}`}
        load={(_, window, signal) =>
          tab === 'open' ? loadOpen(window, signal) : load(tab === 'closed' ? 'closed' : undefined, window, signal)
        }
        empty={{
          title: words.empty[tab].title,
          icon: tab === 'open' ? 'check' : 'return',
          children: <p>{words.empty[tab].text}</p>,
        }}
      />
    </Page>
  );
}
