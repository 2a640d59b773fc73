// Runs before the first paint, in a file of its own because the security policy forbids inline scripts. Sets the chosen language
// and look, chooses the static first page to show, and preloads the scripts of the cabinet, or those of the login if nobody has
// signed in here. If the page cannot be loaded, shows a message and reloads once there is a connection.
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
    var density = localStorage.getItem('cabinet.density')
    if (density === 'roomy' || density === 'compact') root.dataset.density = density
    if (localStorage.getItem('cabinet.locale') === 'en') root.lang = 'en'
    var expected = localStorage.getItem('cabinet.signed-in') === 'open'
    if (!expected && location.pathname === '/login') root.dataset.coming = 'login'
    preloadParts(expected ? 'cabinet-parts' : 'login-parts')
    if (expected && location.pathname === '/') {
      root.dataset.coming = 'payment'
      preloadParts('payment-parts')
    }
  } catch {
    // The storage is not available (private window): the theme of the system and Ukrainian are used.
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
