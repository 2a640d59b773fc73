// Tells the cabinet's page around the frame how high this page is, so that on a telephone nothing scrolls within it.
(() => {
  const tell = (height) => parent.postMessage({ type: "cards-frame-height", height }, location.origin);
  const tellNow = () => tell(Math.ceil(document.documentElement.getBoundingClientRect().height));
  new ResizeObserver(tellNow).observe(document.documentElement);
  addEventListener("pageshow", tellNow);
  // What comes next into the frame speaks for itself, or, as the bank's page, not at all. Said while this page still stands: the
  // last words of a page that is gone are not heard.
  addEventListener("submit", () => tell(null));
})();
