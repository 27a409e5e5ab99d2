import { Badge, Time, type Tone, UserText } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { isLate, type Withdrawal } from './proposal.ts';

const words = t.withdrawals;

const tones: Record<Withdrawal['status'], Tone> = { received: 'bad', matched: 'wait', closed: 'good' };

export function WithdrawalState({ status }: Pick<Withdrawal, 'status'>) {
  return <Badge tone={tones[status]}>{words.statuses[status]}</Badge>;
}

/** Who withdraws; of a person who was erased, that. */
export function Who({ name }: Pick<Withdrawal, 'name'>) {
  return name === '' ? <span class="quiet">{words.erased}</span> : <UserText>{name}</UserText>;
}

/** The day until which the money has to be given back, with a mark once it is over. */
export function Due({ withdrawal }: { withdrawal: Pick<Withdrawal, 'status' | 'dueAt'> }) {
  return (
    <span class="due-by">
      <Time at={withdrawal.dueAt} form="day" />
      {isLate(withdrawal, Date.now()) && <Badge tone="bad">{words.late}</Badge>}
    </span>
  );
}
