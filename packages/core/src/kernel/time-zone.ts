import { text } from '../kernel/parse.ts';

/** The name of a time zone of the IANA database, as the database spells it. */
export const timeZone = text(64, 1)
  .transform((name, check) => {
    const known = zoneNamed(name);
    if (known !== undefined) return known;
    check.addIssue({
      code: 'custom',
      message: 'must be the name of a time zone, such as "Europe/Berlin" or "UTC"',
      input: name,
      params: { code: 'NOT_OFFERED' },
    });
    return name;
  })
  .meta({ examples: ['Europe/Berlin'] });

/** The zone's name in its usual spelling; undefined for an unknown one, and for a bare offset such as `+02:00`. */
function zoneNamed(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
