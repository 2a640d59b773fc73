// Asks how the payment stands, and shows the page anew when that has changed. What is being typed is not taken away.
const page = document.querySelector('main')
const changed = document.getElementById('changed')
const PAUSE = 5000

async function look() {
  if (document.visibilityState !== 'visible') return
  try {
    const answer = await fetch(`${location.pathname}/state`, { cache: 'no-store', credentials: 'omit' })
    if (!answer.ok) return
    if ((await answer.text()) === page.dataset.state) return
  } catch {
    return
  }
  const isTyped = [...document.querySelectorAll('input[type=email]')].some((field) => field.value !== '')
  if (isTyped) changed.hidden = false
  else location.reload()
}

void look()
if (page.dataset.awaited === 'true') setInterval(look, PAUSE)
document.addEventListener('visibilitychange', look)
// The way back from the bank's page may show the page as it was.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
