import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/errors.ts';
import { explain, permissionOf } from '../api/explain.ts';
import { Icon, type IconName } from '../icons/icon.tsx';
import { filled } from '../words/filled.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import type { Loaded } from './use-load.ts';

export { explain } from '../api/explain.ts';

/** Grey placeholder bars for loading content. */
export function Skeleton({ rows = 4 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">{t.kit.loading}</span>
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars are all the same
        <span key={i} class="bar" />
      ))}
    </div>
  );
}

/** An error in words, with a remedy. @param what names the data that could not be loaded, such as "the orders" */
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
        {error.status >= 500 && <RequestId error={error} />}
        {error.isAnswer && <Technical error={error} />}
        {onRetry && (
          <Button icon="refresh" onClick={onRetry}>
            {t.kit.retry}
          </Button>
        )}
      </div>
    </div>
  );
}

/** What the interface has answered, for developers. */
function Technical({ error }: { error: ApiError }) {
  const { message, details } = error;
  return (
    <details class="technical">
      <summary>{t.kit.refusals.details}</summary>
      <p dir="auto">{message}</p>
      {details.map(({ field, reason }) => (
        <p key={field} dir="auto">
          <code>{field}</code> {reason}
        </p>
      ))}
      {error.status < 500 && <RequestId error={error} />}
    </details>
  );
}

function RequestId({ error: { requestId } }: { error: ApiError }) {
  if (!requestId) return null;
  return <p class="quiet">{filled(t.kit.refusals.request, { id: <code>{requestId}</code> })}</p>;
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

/** A page for which the key lacks the scope. @param what names its data, as after "No access to" */
export function NoScope({ scope, what }: { scope: string; what: string }) {
  return (
    <Empty title={t.kit.permissions.noAccess(what)} icon="lock">
      <p>{t.kit.permissions.missing(permissionOf(scope))}</p>
      <p class="quiet">
        <code>{scope}</code>
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
