/** Format that the name of a file says; undefined where it says none. A file of JSON Lines without a line is a list of nothing. */
export function formatOf(file: string): 'jsonl' | undefined {
  return /\.(?:jsonl|ndjson)$/i.test(file) ? 'jsonl' : undefined;
}
