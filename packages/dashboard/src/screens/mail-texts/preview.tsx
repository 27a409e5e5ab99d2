import { useEffect, useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { type ApiError, toApiError } from '../../api/errors.ts';
import { placeErrors } from '../../kit/form/field-errors.ts';
import { Failed, type Form, Section, Shown, UserText, useLoad } from '../../kit/index.ts';
import type { MailKind } from '../../kit/terms/mail.ts';
import { t } from '../../words/words.ts';
import { LetterView } from '../mails/letter.tsx';
import { atFields } from './places.ts';

const words = t.mails.texts;

/** What the form edits. */
export type Template = { subject: string; text: string };

/** Milliseconds after the last key before the preview is written again. */
const pause = 500;

/**
 * The mail as it would be sent with the typed texts; with none, in the built-in wording. What is wrong with a text is shown at its field,
 * and the last mail that could be written stays.
 */
export function LivePreview({ kind, locale, form }: { kind: MailKind; locale: string; form: Form<Template> }) {
  const typed = form.values.value;
  const [asked, setAsked] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), pause);
    return () => clearTimeout(timer);
  }, [typed]);
  const isEmpty = asked.subject.trim() === '' && asked.text.trim() === '';
  const isHalf = !isEmpty && (asked.subject.trim() === '' || asked.text.trim() === '');
  const [refused, setRefused] = useState<ApiError>();
  const loaded = useLoad(
    `${kind} ${locale}`,
    async (signal) => {
      if (isHalf) return undefined;
      const body = { kind, locale, template: isEmpty ? null : asked };
      try {
        const { item } = await had(
          api.POST('/stores/{storeId}/mail/preview', { params: { path: at() }, body, signal }),
        );
        setRefused(undefined);
        return item;
      } catch (thrown) {
        const error = toApiError(thrown);
        if (error.status !== 400 || signal.aborted) throw thrown;
        const said = error.with(atFields(error.details));
        const { placed, rest } = placeErrors(said.details, ['subject', 'text']);
        form.errors.value = { ...form.errors.value, ...placed };
        setRefused(rest.length > 0 ? said : undefined);
        return 'refused' as const;
      }
    },
    JSON.stringify(asked),
  );
  // The last mail that could be written.
  const [shown, setShown] = useState<{ subject: string; text: string; html: string }>();
  const { data } = loaded;
  useEffect(() => {
    if (data !== 'refused') setShown(data);
  }, [data]);
  return (
    <Section title={words.preview}>
      <p class="quiet">{words.previewHint}</p>
      {refused && <Failed error={refused} />}
      <Shown of={loaded} what={words.previewWhat} rows={8}>
        {() =>
          shown ? (
            <>
              <p class="letter-subject">
                <UserText>{shown.subject}</UserText>
              </p>
              <LetterView text={shown.text} html={shown.html} />
            </>
          ) : (
            isHalf && <p class="quiet">{words.errors.missing}</p>
          )
        }
      </Shown>
    </Section>
  );
}
