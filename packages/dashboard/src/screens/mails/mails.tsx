import type { paths } from '@commerce/server/api';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { query } from '../../browser/router.ts';
import { type Column, LinkButton, List, Page, Tabs, Time, UserText } from '../../kit/index.ts';
import { kindNames, lastCause, type Mail } from '../../kit/terms/mail.ts';
import { t } from '../../words/words.ts';
import { MailState, Recipient } from './parts.tsx';

type Query = NonNullable<paths['/stores/{storeId}/mails']['get']['parameters']['query']>;

const words = t.mails;

const views = {
  all: { status: undefined, icon: 'mail' },
  pending: { status: 'pending', icon: 'check' },
  failed: { status: 'failed', icon: 'check' },
} as const;

const tabs = Object.entries(words.tabs).map(([value, label]) => ({ value, label }));
const kinds = { name: 'kind', label: words.columns.kind, options: Object.entries(kindNames) };

const columns: readonly Column<Mail>[] = [
  { label: words.columns.kind, cell: ({ kind }) => kindNames[kind], card: 'title' },
  { label: words.columns.to, cell: ({ to }) => <Recipient to={to} />, card: 'meta' },
  { label: words.columns.subject, cell: ({ subject }) => <UserText>{subject}</UserText> },
  { label: words.columns.created, cell: ({ createdAt }) => <Time at={createdAt} age />, card: 'amount' },
  {
    label: words.columns.status,
    cell: (mail) => (
      <span class="two-lines">
        <span>
          <MailState status={mail.status} />
        </span>
        {mail.status === 'failed' && <span class="quiet">{lastCause(mail)}</span>}
      </span>
    ),
    card: 'state',
  },
];

/** The mails to customers and to the owner, newest first. */
export default function Mails() {
  const asked = query.value.get('tab') ?? '';
  const tab = Object.hasOwn(views, asked) ? (asked as keyof typeof views) : 'all';
  const { status, icon } = views[tab];
  return (
    <Page
      title={words.title}
      actions={
        can('settings.read') && (
          <LinkButton to="settings?tab=mail" icon="settings">
            {words.texts.back}
          </LinkButton>
        )
      }
    >
      <Tabs name="tab" label={words.views} tabs={tabs} />
      <List<Mail>
        key={tab}
        what={words.many}
        also={['tab', 'orderId']}
        filters={[kinds]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ kind, to }) => words.named(kindNames[kind], to)}
        to={({ id }) => `mails/${id}`}
        load={({ tab: _, ...values }, window, signal) =>
          had(
            api.GET('/stores/{storeId}/mails', {
              params: { path: at(), query: { ...(values as Query), ...(status ? { status } : {}), ...window } },
              signal,
            }),
          )
        }
        empty={{ title: words.empty[tab].title, icon, children: <p>{words.empty[tab].text}</p> }}
      />
    </Page>
  );
}
