/** Format by the name of a file; undefined if the name does not say. A JSON Lines file without lines is an empty list. */
export function formatOf(file: string): 'jsonl' | undefined {
  return /\.(?:jsonl|ndjson)$/i.test(file) ? 'jsonl' : undefined;
}
