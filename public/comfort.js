/*
 * Comforts for the hosted pages, which work fully without them: show the password, a Caps Lock hint, and no double
 * submit. Nothing is sent, stored or decided here.
 */
;(() => {
  const SENT = 'data-sent'
  /** A request that was stopped by hand fires no event; after this long the form may be sent again. */
  const FORGET_AFTER_MS = 8000

  const release = (form) => form.removeAttribute(SENT)

  for (const form of document.querySelectorAll('form[data-once]')) {
    form.addEventListener('submit', (event) => {
      if (form.hasAttribute(SENT)) return event.preventDefault()
      form.setAttribute(SENT, '')
      setTimeout(release, FORGET_AFTER_MS, form)
    })
  }

  // The back button may bring a page back as it was left, with its form marked as sent.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll(`form[${SENT}]`)) release(form)
  })

  for (const button of document.querySelectorAll('[data-reveal]')) {
    const input = document.getElementById(button.dataset.reveal)
    const show = [button.textContent, button.getAttribute('aria-label')]
    const hide = [button.dataset.hide, button.dataset.hideLabel]
    const reveal = (on) => {
      input.type = on ? 'text' : 'password'
      const [text, label] = on ? hide : show
      button.textContent = text
      button.setAttribute('aria-label', label)
    }
    button.hidden = false
    button.addEventListener('click', () => reveal(input.type === 'password'))
    // A browser offers to save a password only from a password field.
    input.form.addEventListener('submit', () => reveal(false))
  }

  for (const hint of document.querySelectorAll('[data-caps-lock]')) {
    const input = document.getElementById(hint.dataset.capsLock)
    const text = hint.firstElementChild
    const update = (event) => {
      if (event.getModifierState) text.hidden = !event.getModifierState('CapsLock')
    }
    input.addEventListener('keydown', update)
    input.addEventListener('keyup', update)
    input.addEventListener('blur', () => {
      text.hidden = true
    })
  }
})()
