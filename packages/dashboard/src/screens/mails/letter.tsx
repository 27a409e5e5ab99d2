import { useState } from 'preact/hooks';
import { Button } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { LetterFrame } from './letter-frame.tsx';

const words = t.mails;

/** The two forms of a mail: with its layout, and as plain text. */
export function LetterView({ text, html }: { text: string; html: string | null }) {
  const [isText, setText] = useState(html === null);
  return (
    <>
      <div class="letter-forms" role="group" aria-label={words.forms}>
        {html !== null && (
          <Button kind="quiet" pressed={!isText} onClick={() => setText(false)}>
            {words.asHtml}
          </Button>
        )}
        <Button kind="quiet" pressed={isText} onClick={() => setText(true)}>
          {words.asText}
        </Button>
      </div>
      {isText || html === null ? (
        <p class="user-text letter-text" dir="auto">
          {text}
        </p>
      ) : (
        <LetterFrame html={html} label={words.frame} />
      )}
    </>
  );
}
