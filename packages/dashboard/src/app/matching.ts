/** The values of a path such as `orders/1f…` if it matches `orders/:id`; otherwise undefined. */
export function matchPath(form: string, path: string): Record<string, string> | undefined {
  const wanted = form.split('/');
  const parts = path.split('/');
  if (wanted.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, name] of wanted.entries()) {
    const part = decode(parts[i] ?? '');
    if (part === undefined) return undefined;
    if (name.startsWith(':')) {
      if (part === '') return undefined;
      params[name.slice(1)] = part;
    } else if (name !== part) return undefined;
  }
  return params;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
