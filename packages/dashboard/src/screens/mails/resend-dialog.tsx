import { api, at, had } from '../../api/client.ts';
import { ApiError, toApiError } from '../../api/errors.ts';
import { Dialog, FormView, TextField, useForm, useOnce } from '../../kit/index.ts';
import type { Mail } from '../../kit/terms/mail.ts';
import { t } from '../../words/words.ts';

const words = t.mails.resend;

/** Sends a mail again, as a new one: to the same address, or to a corrected one. */
export function ResendDialog({
  mail,
  onDone,
  onClose,
}: {
  mail: Pick<Mail, 'id' | 'to'>;
  onDone(next: Mail): void;
  onClose(): void;
}) {
  const once = useOnce();
  const form = useForm({
    key: `mails/${mail.id}/resend`,
    read: { values: { to: mail.to } },
    labels: { to: words.to },
    async save(_, __, all) {
      const to = all.to.trim();
      try {
        const { item } = await once(
          to,
          () => (to === mail.to ? {} : { to }),
          (header, body) =>
            had(
              api.POST('/stores/{storeId}/mails/{id}/resend', { params: { path: at({ id: mail.id }), header }, body }),
            ),
        );
        onDone(item);
        return { values: all, said: words.done(item.to) };
      } catch (thrown) {
        const error = toApiError(thrown);
        if (error.status !== 409 || error.reason?.startsWith('idempotency')) throw error;
        throw new ApiError({ status: 409, code: error.code, message: words.notPossible });
      }
    },
  });
  return (
    <Dialog title={words.title} onClose={onClose}>
      <FormView form={form} saveLabel={words.send}>
        <TextField form={form} name="to" type="email" label={words.to} hint={words.toHint} />
      </FormView>
    </Dialog>
  );
}
