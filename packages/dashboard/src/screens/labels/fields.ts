import { refusal } from '../../api/errors.ts';
import { own } from '../../kit/form/kinds.ts';
import { t } from '../../words/words.ts';
import { pairsField } from './pairs.ts';

const words = t.labels;

/** Most characters of a tag, and of a key and a text for other programs. */
export const longest = { tag: 64, name: 40, value: 500 };

const mostTags = 50;

/** Texts for other programs. */
export const metadataFields = {
  metadata: pairsField('metadata', words.metadata.title, words.metadata.twice, (name) =>
    /^[A-Za-z0-9_.-]{1,40}$/.test(name) ? undefined : name === '' ? words.metadata.noName : words.metadata.wrong(name),
  ),
};

/** Words by which lists are filtered. The last one may still be typed. */
export const tagFields = {
  tags: {
    ...own<string[]>(words.tags.label, []),
    sent(typed: string[]) {
      const tags = [...new Set(typed.map((tag) => tag.trim()).filter(Boolean))];
      if (tags.length > mostTags) throw refusal('tags', words.tags.tooMany(mostTags));
      return tags;
    },
  },
};
