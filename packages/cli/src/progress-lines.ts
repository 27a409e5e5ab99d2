/** Milliseconds between two lines on a terminal, where each takes the place of the one before, and elsewhere. */
const onTerminal = 200;
const elsewhere = 10_000;

/**
 * Tells on standard error how far a long piece of work has come, now and then.
 * @returns takes the newest line, and at the end none
 */
export function tellProgress({ quiet = false }: { quiet?: boolean }): (line?: string) => void {
  const { isTTY = false } = process.stderr;
  let told = Date.now();
  let isOpen = false;
  return (line) => {
    if (quiet) return;
    if (line === undefined) {
      if (isOpen) process.stderr.write('\n');
      isOpen = false;
      return;
    }
    if (Date.now() - told < (isTTY ? onTerminal : elsewhere)) return;
    told = Date.now();
    process.stderr.write(isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    isOpen = isTTY;
  };
}
