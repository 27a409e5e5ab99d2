/** Role of a process in a service. */
export interface Place {
  /** The process that writes, or one of the processes that answer reads. */
  role: 'writer' | 'reader';
  /** Path of the socket between them. */
  socket: string;
  /** The port that the readers share; it is known before they start, even if any port would do. */
  port: number;
  /** Address of the service. */
  url: string;
}

const variable = 'COMMERCE_WORKER';

/** Environment variable that tells a started process its place. */
export function placeInEnvironment(place: Place): Record<string, string> {
  return { [variable]: JSON.stringify(place) };
}

/** The place of this process, if a supervisor has started it; its own child processes do not inherit it. */
export function takePlace(): Place | undefined {
  const text = process.env[variable];
  delete process.env[variable];
  return text === undefined || !process.send ? undefined : (JSON.parse(text) as Place);
}
