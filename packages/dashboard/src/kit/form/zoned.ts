// Wall times of a zone in the format of a time field, such as `2026-11-22T17:00`.

const formats = new Map<string, Intl.DateTimeFormat>();

function partsIn(zone: string, at: number): Record<string, string> {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(zone, format);
  }
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

/** The wall time of a zone at a time. @param at ISO 8601 */
export function toWallTime(at: string, zone: string): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return '';
  const { year, month, day, hour, minute } = partsIn(zone, time);
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/**
 * The instant at which clocks of a zone show a wall time, ISO 8601. If clocks skip it, the later instant; if they show it twice, the first.
 * Undefined for any other text.
 */
export function fromWallTime(text: string, zone: string): string | undefined {
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(wall)) return undefined;
  const ahead = (at: number) => Date.parse(`${toWallTime(new Date(at).toISOString(), zone)}Z`) - at;
  // Clocks change by a few hours at most, so a day before and a day after show both possible offsets.
  const offsets = [ahead(wall - day), ahead(wall + day)];
  const found = offsets.map((offset) => wall - offset).filter((at) => at + ahead(at) === wall);
  return new Date(found.length > 0 ? Math.min(...found) : wall - Math.min(...offsets)).toISOString();
}

const day = 86_400_000;
