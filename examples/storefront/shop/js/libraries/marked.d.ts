export { parse } from 'marked';
