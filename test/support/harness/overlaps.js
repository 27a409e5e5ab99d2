// Runs in a page of a browser, which gets it as text from layout.ts.

/**
 * @param {number} tolerated pixels by which two boxes may lie on one another
 * @returns {string[]} each pair that does, as one line
 */
window.findOverlaps = (tolerated) => {
  const isFloating = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { position } = getComputedStyle(at);
      if (position === 'fixed' || position === 'sticky' || at.matches('.unseen, [role=menu], dialog, noscript, option'))
        return true;
    }
    return false;
  };
  /** The part of a box that its containers do not cut off. */
  const clipped = (box) => {
    const cut = { ...box };
    for (let at = box.of; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const { left, top, right, bottom } = at.getBoundingClientRect();
      cut.left = Math.max(cut.left, left);
      cut.top = Math.max(cut.top, top);
      cut.right = Math.min(cut.right, right);
      cut.bottom = Math.min(cut.bottom, bottom);
    }
    return cut.right - cut.left > tolerated && cut.bottom - cut.top > tolerated ? cut : undefined;
  };
  const boxes = [];
  const add = (of, says, rects) => {
    if (isFloating(of) || !of.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
    for (const { left, top, right, bottom } of rects) {
      const box = clipped({ of, says: says.trim().slice(0, 30), left, top, right, bottom });
      if (box) boxes.push(box);
    }
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!node.nodeValue?.trim() || !node.parentElement) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    add(node.parentElement, node.nodeValue, range.getClientRects());
  }
  for (const control of document.querySelectorAll('input, select, textarea, button, a, summary')) {
    if (control.matches('a[aria-hidden=true], .skip')) continue;
    const rects = [...control.getClientRects()];
    // The padding of a field has room for a sign, or for a button that clears it.
    if (control.matches('input, select')) {
      const { paddingLeft, paddingRight } = getComputedStyle(control);
      for (const [i, { x, y, width, height }] of rects.entries()) {
        const [before, after] = [Number.parseFloat(paddingLeft), Number.parseFloat(paddingRight)];
        rects[i] = new DOMRect(x + before, y, Math.max(0, width - before - after), height);
      }
    }
    add(control, `<${control.localName}> ${control.textContent}`, rects);
  }
  const found = new Set();
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1)) {
      if (a.of.contains(b.of) || b.of.contains(a.of)) continue;
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > tolerated && height > tolerated)
        found.add(`"${a.says}" and "${b.says}" share ${Math.round(width)} × ${Math.round(height)} pixels`);
    }
  }
  return [...found];
};
