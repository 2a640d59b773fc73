// Tells the cabinet's page around the frame how high this page is, so that on a telephone nothing scrolls within it.
(() => {
  const tell = (height) => parent.postMessage({ type: "cards-frame-height", height }, location.origin);
  const tellNow = () => tell(Math.ceil(document.documentElement.getBoundingClientRect().height));
  new ResizeObserver(tellNow).observe(document.documentElement);
  addEventListener("pageshow", tellNow);
  // What comes next into the frame speaks for itself, or, as the bank's page, not at all.
  addEventListener("pagehide", () => tell(null));
})();
