// Runs before the first paint, as a file of its own because the security policy allows no inline scripts: sets the chosen language
// and theme, so that nothing flashes in the wrong colours, says which page is coming, where that is known, so that its words stand at
// once, and asks for the parts of the cabinet where somebody has signed in before, else for those of the login. Where the page itself
// does not come, it says so and tries again once there is a connection.
;(function () {
  var root = document.documentElement
  addEventListener(
    'error',
    function (event) {
      var part = event.target
      if (part instanceof HTMLScriptElement || (part instanceof HTMLLinkElement && part.rel === 'stylesheet'))
        root.dataset.stuck = ''
    },
    true,
  )
  addEventListener('online', function () {
    if ('stuck' in root.dataset && document.querySelector('[data-not-come]') !== null) location.reload()
  })

  try {
    var theme = localStorage.getItem('cabinet.theme')
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    if (localStorage.getItem('cabinet.locale') === 'en') root.lang = 'en'
    var expected = localStorage.getItem('cabinet.signed-in') === 'open'
    if (!expected && location.pathname === '/login') root.dataset.coming = 'login'
    preloadParts(expected ? 'cabinet-parts' : 'login-parts')
    if (expected && location.pathname === '/') {
      root.dataset.coming = 'payment'
      preloadParts('payment-parts')
    }
  } catch {
    // Storage is closed (private window): the system's theme and Ukrainian hold.
  }

  function preloadParts(name) {
    var parts = document.querySelector('meta[name=' + name + ']')
    if (parts !== null && parts.content !== '') parts.content.split(' ').forEach(preload)
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
