import type { Context } from '../../engine/context.ts';
import { refusePublic } from '../../engine/public-actor.ts';
import { parse } from '../../kernel/parse.ts';
import { PreviewFields, type PreviewInput } from '../../mail/fields.ts';
import type { Letter } from '../../mail/letters/letter.ts';
import { checkTemplate, sampleData, writeFromTemplate } from '../../mail/letters/template.ts';
import { writeLetter } from '../../mail/letters/write.ts';
import { templateFor } from '../../mail/templates.ts';
import { reading } from '../../storage/run.ts';
import { withCurrentStore } from '../../stores/current.ts';
import { shopOf } from './facts.ts';

/**
 * A letter of this kind with sample facts, in the shop's own words if it has some.
 * @throws CommerceError `validation`, also with line and column for a text that cannot be read, or that fails
 */
export async function previewMail(given: Context, input: PreviewInput): Promise<Letter> {
  refusePublic(given);
  const ctx = await withCurrentStore(given);
  const { kind, locale = ctx.store.settings.locale, template } = parse(PreviewFields, input);
  const data = sampleData(kind, locale, await shopOf(ctx));
  if (template) checkTemplate(kind, template);
  const own =
    template === undefined
      ? await reading(ctx.engine.storage, (db) => templateFor(db, ctx.store.id, kind, locale))
      : template;
  return own ? writeFromTemplate(own, data) : writeLetter(data);
}
