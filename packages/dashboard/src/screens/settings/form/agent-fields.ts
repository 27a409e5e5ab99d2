import type { ApiError, Detail } from '../../../api/errors.ts';
import { check, line } from '../../../kit/index.ts';
import { t } from '../../../words/words.ts';

const words = t.settings.agents;

const hostField = 'ucp.host';

export const agentFields = {
  'ucp.enabled': check(words.enabled, { hint: words.enabledHint }),
  [hostField]: {
    ...line(words.host, { hint: words.hostHint }),
    sent: (typed: string) => typed.trim() || null,
  },
};

/** The refusal of a host, in words of its own. */
export function agentRefusal(error: ApiError): ApiError {
  return error.with(
    error.details.map((detail): Detail => {
      if (detail.field !== hostField) return detail;
      return { ...detail, said: detail.code === 'TAKEN' ? words.hostTaken : words.hostWrong };
    }),
  );
}
