import { applyTheme } from './app/theme.ts';
import { loadWords } from './words/words.ts';

applyTheme();
// Constants of the screens contain sentences, so the language is there before they are.
await loadWords();
const { start } = await import('./app/start.tsx');
start();
