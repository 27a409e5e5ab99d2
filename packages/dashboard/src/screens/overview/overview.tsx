import { askDesk, type Desk, desk, deskError } from '../../api/desk.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { Icon } from '../../icons/icon.tsx';
import { Empty, Failed, LinkButton, Page, Section, Skeleton } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { Figures } from '../statistics/figures.tsx';
import { usualInterval } from '../statistics/period.ts';
import { PeriodBar } from '../statistics/period-bar.tsx';
import { SalesChart, SalesTable } from '../statistics/sales-chart.tsx';
import { currentPeriod, useSales } from '../statistics/sales-data.ts';
import { BestSellers } from './best-sellers.tsx';
import { Checklist, showsChecklist } from './checklist.tsx';
import { UnreadableSecrets } from './unreadable.tsx';
import { WhatWaits } from './waiting.tsx';

/** Today's work and how the shop sells. A part that the key may not see is left out. */
export default function Overview() {
  const { value } = desk;
  return (
    <Page title={t.overview.title}>
      <UnreadableSecrets />
      {deskError.value && <Failed error={deskError.value} what={t.home.what} onRetry={askDesk} />}
      {value === undefined ? <Skeleton rows={8} /> : <Parts desk={value} />}
    </Page>
  );
}

/** The parts in the order of the desk, which says what they are; nothing above them moves them later. */
function Parts({ desk: now }: { desk: Desk }) {
  const isSeen = can('order.read');
  const isNew = isSeen && now.newestOrderAt === null;
  const { newestOrderAt, nextDisputeDueAt, nextWithdrawalDueAt, mailMissing, ...figures } = now;
  const all = Object.values(figures);
  const waits = all.some((count) => count !== null && count > 0);
  if (all.every((count) => count === null)) {
    return (
      <Empty title={t.overview.noAccess} icon="lock">
        <p>{t.overview.noAccessHint}</p>
      </Empty>
    );
  }
  return (
    <>
      {/* The list of a new shop has a step for it. */}
      {mailMissing && !showsChecklist(isNew) && <MailMissing />}
      {showsChecklist(isNew) && <Checklist />}
      {(waits || !isNew) && <WhatWaits desk={now} />}
      {isSeen && !isNew && <Selling />}
    </>
  );
}

/** Says that nobody is told of anything by mail. */
function MailMissing() {
  return (
    <div class="notice">
      <Icon name="mail" />
      <div>
        <p>{t.home.mail.notSetUp}</p>
        <LinkButton to="settings?tab=mail">{t.home.mail.setUp}</LinkButton>
      </div>
    </div>
  );
}

/** Figures, bars and best sellers of the period of the address. */
function Selling() {
  const period = currentPeriod();
  const { data, error, reload } = useSales(period, usualInterval(period));
  return (
    <>
      <PeriodBar period={period} compares />
      {error && <Failed error={error} what={t.statistics.what} onRetry={reload} />}
      <Section title={t.statistics.views.sales} quiet>
        <Figures of={data} />
      </Section>
      <Section title={t.statistics.chart} actions={<a href={href('statistics')}>{t.home.allStatistics}</a>}>
        <SalesChart of={data} />
        <details class="as-table">
          <summary>{t.statistics.table}</summary>
          {data && <SalesTable of={data} />}
        </details>
      </Section>
      <BestSellers period={period} />
    </>
  );
}
