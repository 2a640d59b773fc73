// Runs before the first paint, as a file of its own because the security policy allows no inline scripts:
// sets the chosen language and theme, so that nothing flashes in the wrong colours.
;(function () {
  try {
    var theme = localStorage.getItem('cabinet.theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    if (localStorage.getItem('cabinet.locale') === 'en') document.documentElement.lang = 'en'
  } catch {
    // Storage is closed (private window): the system's theme and Ukrainian hold.
  }
})()
