import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/errors.ts';
import { Icon, type IconName } from '../icons/icon.tsx';
import { Button } from './button.tsx';
import type { Loaded } from './use-load.ts';

/** Grey placeholder bars for loading content. */
export function Skeleton({ rows = 4 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">Loading…</span>
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars are all the same
        <span key={i} class="bar" />
      ))}
    </div>
  );
}

/** An error in words, with a remedy. */
export function Failed({ error, onRetry, what }: { error: ApiError; onRetry?: () => void; what?: string }) {
  const [title, hint] = explain(error, what);
  return (
    <div class="notice bad" role="alert">
      <Icon name="warning" />
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        <p dir="auto">{hint}</p>
        {error.requestId && (
          <p class="quiet">
            Request <code>{error.requestId}</code>
          </p>
        )}
        {onRetry && (
          <Button icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

/**
 * A title and a sentence for an error.
 * @param what names the data, such as "the orders"
 */
export function explain(error: ApiError, what = 'this'): [title: string, hint: string] {
  switch (error.status) {
    case 0:
      return [error.code === 'FAULT' ? 'Something went wrong' : 'No answer', sentence(error.message)];
    case 401:
      return ['You are signed out', 'Sign in again; your input is kept.'];
    case 403:
      return ['Your key does not allow that', sentence(error.message)];
    case 404:
      return ['Not found', `This does not exist, or was deleted: ${error.message}.`];
    case 409:
      return ['This is not possible at the moment', sentence(error.message)];
    case 429: {
      const seconds = error.retryAfter ?? 1;
      return [
        'Too many requests',
        `The service asks to wait ${seconds} second${seconds === 1 ? '' : 's'}; it then continues automatically.`,
      ];
    }
    case 503:
      return ['The service is busy', 'Trying again in a moment.'];
    default:
      return [error.status >= 500 ? `Could not load ${what}` : 'Refused', sentence(error.message)];
  }
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** An empty state: an explanation, and the next step. */
export function Empty({ title, icon, children }: { title: string; icon?: IconName; children?: ComponentChildren }) {
  return (
    <div class="empty">
      {icon && <Icon name={icon} />}
      <p class="title">{title}</p>
      {children}
    </div>
  );
}

/** A page for which the key lacks the scope. */
export function NoScope({ scope, what }: { scope: string; what: string }) {
  return (
    <Empty title={`No access to ${what}`} icon="lock">
      <p>
        This requires the scope <code>{scope}</code>. To create a key with it, you need <code>apiKey.write</code>.
      </p>
    </Empty>
  );
}

/** Shows the loaded data, or that it is loading, or why it failed. */
export function Shown<T>({
  of,
  children,
  what,
  rows,
}: {
  of: Loaded<T>;
  children: (data: T) => ComponentChildren;
  what?: string;
  rows?: number;
}) {
  const { data, error, slow, loading, reload } = of;
  return (
    <>
      {error && <Failed error={error} onRetry={reload} what={what} />}
      {data === undefined ? (
        !error && slow && <Skeleton rows={rows} />
      ) : (
        <div class={loading && slow ? 'dimmed' : ''} aria-busy={loading && slow}>
          {children(data)}
        </div>
      )}
    </>
  );
}
