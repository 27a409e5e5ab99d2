import { service } from '../../browser/places.ts';

/** Attributes that hold styles until they are set by script, which the policy of the page allows. */
const held = 'data-style';

/**
 * HTML without style sheets, and with its attributes of style under another name: the policy of the page refuses both where they are parsed.
 * What is overlooked here is refused there.
 */
export function withHeldStyles(html: string): string {
  return html
    .replace(/<style\b[\s\S]*?<\/style>/gi, '')
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle=/gi, ` ${held}=`));
}

/** The HTML of a mail as safe nodes: without scripts, forms, links and pictures of other hosts. Its styles are set by `setStyles`. */
export async function letterNodes(html: string): Promise<Node[]> {
  const { default: purify } = await import('dompurify');
  purify.addHook('afterSanitizeAttributes', (node) => {
    // A preview leads nowhere.
    const link = node.getAttribute('href');
    if (link !== null) {
      node.setAttribute('title', link);
      node.removeAttribute('href');
    }
    const picture = node.getAttribute('src');
    if (picture !== null && !isOwn(picture)) node.removeAttribute('src');
  });
  const body = purify.sanitize(withHeldStyles(html), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'audio', 'video', 'picture', 'source'],
    FORBID_ATTR: ['style', 'srcset', 'background', 'poster', 'id', 'name'],
    RETURN_DOM: true,
  }) as HTMLElement;
  purify.removeAllHooks();
  for (const picture of body.querySelectorAll('img:not([src])')) {
    picture.replaceWith(picture.getAttribute('alt') ?? '');
  }
  return [...body.childNodes];
}

const isOwn = (address: string) =>
  URL.canParse(address, `${service}/`) && new URL(address, `${service}/`).origin === new URL(service).origin;

/** Sets the styles that were held back. */
export function setStyles(within: ParentNode): void {
  for (const element of within.querySelectorAll<HTMLElement>(`[${held}]`)) {
    element.style.cssText = element.getAttribute(held) ?? '';
    element.removeAttribute(held);
  }
}
