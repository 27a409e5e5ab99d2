import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import type { Schemas } from '../../api/types.ts';
import { Dialog, FormView, TextField, useForm } from '../../kit/index.ts';
import { mailCause } from '../../kit/terms/mail.ts';
import { t } from '../../words/words.ts';

const words = t.settings.mail.test;

type Result = Schemas['MailTest'] & { to: string };

/** Sends a test, and tells how it went: with the cause in words, and all that the servers said. */
export function TestDialog({ to, isUnsaved, onClose }: { to: string; isUnsaved: boolean; onClose(): void }) {
  const [result, setResult] = useState<Result>();
  const form = useForm({
    key: 'settings/mail/test',
    read: { values: { to } },
    labels: { to: words.to },
    saved: '',
    async save(_, __, all) {
      setResult(undefined);
      const body = { to: all.to.trim() };
      const { item } = await had(api.POST('/stores/{storeId}/mail/test', { params: { path: at() }, body }));
      setResult({ ...item, ...body });
      return { values: all };
    },
  });
  return (
    <Dialog wide title={words.title} onClose={onClose}>
      {isUnsaved && <p class="notice">{words.unsaved}</p>}
      <FormView form={form} saveLabel={words.send}>
        <TextField form={form} name="to" type="email" label={words.to} />
      </FormView>
      <div role="status">{result && <Outcome result={result} />}</div>
    </Dialog>
  );
}

function Outcome({ result: { sent, error, conversation, to } }: { result: Result }) {
  return (
    <>
      {sent ? (
        <p class="notice">{words.sent(to)}</p>
      ) : (
        <div class="notice bad">
          <p>
            <strong>{words.failed}:</strong> {mailCause(error)}
          </p>
        </div>
      )}
      <details open={!sent}>
        <summary>{words.conversation}</summary>
        <p class="quiet">{words.conversationHint}</p>
        {conversation.length === 0 && error === null ? (
          <p class="quiet">{words.silent}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long conversation is scrolled, by keys too
          <pre class="answer" role="region" aria-label={words.conversation} tabIndex={0} dir="ltr">
            {[...conversation, ...(error === null ? [] : [error])].join('\n')}
          </pre>
        )}
      </details>
    </>
  );
}
