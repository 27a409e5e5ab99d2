import type { Schemas } from '../../api/types.ts';
import { root } from '../../browser/places.ts';
import { ShownOnce, Time } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';

const words = t.people.link;

/** Shows the link with which a person signs in once. */
export function LinkOnce({
  of: { code, expiresAt },
  email,
  onDone,
}: {
  of: Schemas['SignInLink'];
  email: string;
  onDone(): void;
}) {
  return (
    <ShownOnce title={words.title(email)} text={`${root}#code=${code}`} what={words.the} onDone={onDone}>
      <p>{filled(words.text, { time: <Time at={expiresAt} /> })}</p>
    </ShownOnce>
  );
}
