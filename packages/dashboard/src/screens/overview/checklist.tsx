import { signal } from '@preact/signals';
import { deskChanges } from '../../api/desk.ts';
import { currentStore } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { Icon } from '../../icons/icon.tsx';
import { Button, Failed, Section, toast, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { loadDone, type Step, visibleSteps } from './steps.ts';

const words = t.home.checklist;

const setting = () => `commerce.checklist.${currentStore()}`;

/** Increased when the list is hidden or shown again. */
const changes = signal(0);

function remember(state: 'open' | 'hidden'): void {
  localStorage.setItem(setting(), state);
  changes.value++;
}

/** Whether to show the checklist: in a new shop, and then until it is hidden. A shop that was never new in this browser has none. */
export function showsChecklist(isNew: boolean): boolean {
  changes.value;
  const state = localStorage.getItem(setting());
  return state === 'open' || (isNew && state !== 'hidden');
}

/** What a new shop needs before it sells. The steps tick themselves. */
export function Checklist() {
  const steps = visibleSteps();
  const { data, error, reload } = useLoad(
    'checklist',
    async (aborting) => {
      const done = await loadDone(steps, aborting);
      // The last step ends the time of a new shop; the list stays until it is hidden.
      if (localStorage.getItem(setting()) === null) localStorage.setItem(setting(), 'open');
      return done;
    },
    String(deskChanges.value),
  );
  const isReady = data !== undefined && steps.every(({ name }) => data.has(name));
  const hide = () => {
    remember('hidden');
    toast(words.hidden, { undo: () => remember('open') });
  };
  if (steps.length === 0) return null;
  return (
    <Section
      title={isReady ? words.ready : words.title}
      actions={
        <span class="checklist-head">
          <span class="quiet">{words.count(data?.size ?? 0, steps.length)}</span>
          <Button kind={isReady ? 'plain' : 'quiet'} onClick={hide}>
            {words.hide}
          </Button>
        </span>
      }
    >
      {error && <Failed error={error} onRetry={reload} what={words.what} />}
      <progress class="steps-done" max={steps.length} value={data?.size ?? 0} aria-label={words.title} />
      <ol class="steps">
        {steps.map((step) => (
          <StepRow key={step.name} step={step} isDone={data?.has(step.name) ?? false} />
        ))}
      </ol>
    </Section>
  );
}

function StepRow({ step: { name, to }, isDone }: { step: Step; isDone: boolean }) {
  const { title, text } = t.home.steps[name];
  return (
    <li class={isDone ? 'done' : ''}>
      <a href={href(to)}>
        <span class="tick">{isDone && <Icon name="check" />}</span>
        <span>
          <strong>{title}</strong>
          <span class="unseen"> {isDone ? words.done : words.open}. </span>
          <span class="quiet">{text}</span>
        </span>
        <Icon name="next" />
      </a>
    </li>
  );
}
