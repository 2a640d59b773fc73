// Runs before the first paint, as a file of its own because the security policy allows no inline scripts:
// sets the chosen language and theme, so that nothing flashes in the wrong colours, says which page is coming, where that is
// known, so that its words stand at once, and asks for the parts of the cabinet where somebody has signed in before.
;(function () {
  try {
    var theme = localStorage.getItem('cabinet.theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    if (localStorage.getItem('cabinet.locale') === 'en') document.documentElement.lang = 'en'
    var expected = localStorage.getItem('cabinet.signed-in') === 'open'
    if (!expected && location.pathname === '/login') document.documentElement.dataset.coming = 'login'
    if (expected && location.pathname === '/') {
      document.documentElement.dataset.coming = 'payment'
      var parts = document.querySelector('meta[name=cabinet-parts]')
      if (parts !== null && parts.content !== '') parts.content.split(' ').forEach(preload)
    }
  } catch {
    // Storage is closed (private window): the system's theme and Ukrainian hold.
  }

  function preload(part) {
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.fetchPriority = 'low'
    link.href = part
    document.head.append(link)
  }
})()
