import { t } from '../../words/words.ts';

const { actions, resources, verbs } = t.audit;

/** An action of the audit log or an event in words: `order.cancelled` is "Order cancelled". */
export function actionWords(action: string): string {
  const own = found(actions, action);
  if (own !== undefined) return own;
  const [resource = '', verb = ''] = action.split('.');
  return t.audit.action(found(resources, resource) ?? spelled(resource), found(verbs, verb) ?? spelled(verb));
}

function found(words: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined;
}

/** A name that has no words yet: `signed_in` as "signed in". */
function spelled(name: string): string {
  return name
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .replaceAll('_', ' ')
    .toLowerCase();
}
