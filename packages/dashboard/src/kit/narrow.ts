import { useEffect, useState } from 'preact/hooks';

/** The width below which lists are cards, the same as in the styles. */
const narrow = matchMedia('(max-width: 45rem)');

/** Whether the screen has the width of a phone. */
export function useNarrow(): boolean {
  const [is, set] = useState(narrow.matches);
  useEffect(() => {
    const change = () => set(narrow.matches);
    narrow.addEventListener('change', change);
    return () => narrow.removeEventListener('change', change);
  }, []);
  return is;
}
