import DOMPurify from 'dompurify';
import { CHAT_LINK } from '../../protocol/pageFacts.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';

const TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'ul', 'ol', 'li'],
  ...['strong', 'em', 'b', 'i', 'u', 's', 'del', 'sub', 'sup', 'kbd', 'mark', 'a', 'span', 'img'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'details', 'summary'],
];

/** Attributes for the page's own formulas and pictures. */
const PLACES = ['data-tex', 'data-display', 'data-artifact'];

/** No style, class, id or event: an answer cannot look like a part of the page, nor act. */
const ATTRIBUTES = ['href', 'title', 'align', 'start', 'open', 'src', 'alt', ...PLACES];

const SAFE_LINK = new RegExp(`^(?:https?:|mailto:)|${CHAT_LINK.source}`, 'i');

/** A path, with or without a position in the file; the host knows whether the file exists. */
const FILE_LINK = /^(?:file:\/\/\/|[a-z]:[\\/])?[^:]*(?::\d[\d:-]*)?$/i;

const ANY_LINK = new RegExp(`${SAFE_LINK.source}|${FILE_LINK.source}`, 'i');

/** Embedded pictures. No SVG: it can contain scripts and addresses. */
const SAFE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;

/** Sanitizes answers. Links keep their address where only a click handler reads it. */
export class Sanitiser {
  private readonly purify = DOMPurify(window);

  constructor() {
    this.purify.addHook('afterSanitizeAttributes', (node) => {
      if (node.tagName === 'A') disarmLink(node);
      if (node.tagName === 'IMG') disarmImage(node);
    });
  }

  sanitise(html: string): string {
    return this.purify.sanitize(html, {
      ALLOWED_TAGS: TAGS,
      ALLOWED_ATTR: ATTRIBUTES,
      // Formulas and names are not addresses.
      ADD_URI_SAFE_ATTR: PLACES,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      ALLOWED_URI_REGEXP: ANY_LINK,
    });
  }
}

/** The page never navigates: the host opens links after checking them. */
function disarmLink(link: Element): void {
  const href = link.getAttribute('href');
  link.removeAttribute('href');
  if (href === null || href === '') return;
  if (!SAFE_LINK.test(href)) {
    // It becomes a link once the file is known to exist.
    if (FILE_LINK.test(href) && !href.startsWith('#')) link.setAttribute('data-file', href);
    return;
  }
  link.setAttribute('data-href', href);
  link.setAttribute('role', 'link');
  link.setAttribute('tabindex', '0');
  // The target is always shown, whatever its text is.
  const title = link.getAttribute('title');
  link.setAttribute('title', withHiddenSpelledOut(title === null ? href : `${title}\n${href}`));
}

/** A picture that would have to be fetched is replaced by its description. */
function disarmImage(image: Element): void {
  if (image.hasAttribute('data-artifact')) {
    image.removeAttribute('src');
    return;
  }
  if (SAFE_IMAGE.test(image.getAttribute('src') ?? '')) return;
  image.replaceWith(image.getAttribute('alt') ?? '');
}
