/*
 * The captcha of our own origin: searches the number whose digest the page names (SHA-256 of salt and number), while the person
 * fills in the form. A form that is sent earlier waits for it. Nothing is fetched or stored here.
 */
;(() => {
  const place = document.querySelector('[data-work]')
  if (!place || !window.crypto?.subtle) return

  const form = place.closest('form')
  const status = place.querySelector('[role=status]')
  const { work, salt, max } = place.dataset
  /** Digests that are asked for at once. */
  const STRIDE = 250
  const encoder = new TextEncoder()
  let pressed = null

  const hexOf = (digest) => [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const digestOf = async (number) => hexOf(await crypto.subtle.digest('SHA-256', encoder.encode(salt + number)))

  const search = async () => {
    for (let from = 0; from < Number(max); from += STRIDE) {
      const digests = await Promise.all(Array.from({ length: STRIDE }, (_, place) => digestOf(from + place)))
      const at = digests.indexOf(work)
      if (at !== -1) return from + at
    }
    return null
  }

  const needsIt = (button) => !button?.value.startsWith('captcha-') && button?.value !== 'cancel'

  // Before the page's other listeners, which take a form that is stopped here for sent.
  addEventListener(
    'submit',
    (event) => {
      if (event.target !== form || form.elements.captcha_number.value || !needsIt(event.submitter)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      pressed = event.submitter
    },
    true,
  )

  status.textContent = status.dataset.working
  void search().then((number) => {
    form.elements.captcha_number.value = number ?? '-'
    status.textContent = status.dataset.done
    if (pressed) form.requestSubmit(pressed)
  })
})()
