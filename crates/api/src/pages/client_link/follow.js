// Asks how the payment stands, and shows the page anew when that has changed. What is being typed is not taken away.
const page = document.querySelector('main')
const changed = document.getElementById('changed')
const PAUSE = 5000

// Not `location.reload()`: where the page answers a form, that would send the form again.
const showAnew = () => location.replace(`${page.dataset.page}?language=${page.dataset.language}`)

async function look() {
  if (document.visibilityState !== 'visible') return
  try {
    const answer = await fetch(`${page.dataset.page}/state`, { cache: 'no-store', credentials: 'omit' })
    if (!answer.ok) return
    if ((await answer.text()) === page.dataset.state) return
  } catch {
    return
  }
  const isTyped = [...document.querySelectorAll('input[type=email]')].some((field) => field.value !== '')
  if (isTyped) changed.hidden = false
  else showAnew()
}

void look()
if (page.dataset.awaited === 'true') setInterval(look, PAUSE)
document.addEventListener('visibilitychange', look)
// The way back from the bank's page may show the page as it was.
addEventListener('pageshow', (event) => {
  if (event.persisted) showAnew()
})
