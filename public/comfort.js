/*
 * Comforts for the hosted pages, which work fully without them: show the password, a Caps Lock hint, how a new password
 * stands to the rules, a smaller picture, an initial for one that does not load, times in the zone of the browser, no double submit, the seconds to the next code, copy and print, and going on once another device
 * has answered. Nothing is stored or decided here, and nothing sent but the page's own form.
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

  for (const picture of document.querySelectorAll('img[data-initial]')) {
    picture.decode().catch(() => {
      const initial = document.createElement('span')
      initial.className = picture.className
      initial.textContent = picture.dataset.initial
      initial.setAttribute('aria-hidden', 'true')
      picture.replaceWith(initial)
    })
  }

  /** The largest square in the middle, at most `side` pixels wide, as a JPEG on white; the file stays where the browser cannot read it. */
  const shrink = async (input, side) => {
    const [file] = input.files
    if (!file) return
    const picture = await createImageBitmap(file)
    const from = Math.min(picture.width, picture.height)
    const to = Math.min(from, side)
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = to
    const drawing = canvas.getContext('2d')
    drawing.fillStyle = '#fff'
    drawing.fillRect(0, 0, to, to)
    drawing.drawImage(picture, (picture.width - from) / 2, (picture.height - from) / 2, from, from, 0, 0, to, to)
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
    if (!blob || input.files[0] !== file) return
    const files = new DataTransfer()
    files.items.add(new File([blob], 'picture.jpg', { type: blob.type }))
    input.files = files.files
  }

  for (const input of document.querySelectorAll('[data-picture]')) {
    input.addEventListener('change', () => shrink(input, Number(input.dataset.picture)).catch(() => {}))
  }

  const CLASSES = { lower: /[a-z]/, upper: /[A-Z]/, digit: /[0-9]/, special: /[ -/:-@[-`{-~]/ }
  const has = (name) => (password) => CLASSES[name].test(password)
  /** What can be judged here, as the server judges it; it judges the rest. */
  const RULES = {
    length: (password, count) => [...password].length >= count,
    lower: has('lower'),
    upper: has('upper'),
    digit: has('digit'),
    special: has('special'),
    classes: (password, count) => Object.values(CLASSES).filter((known) => known.test(password)).length >= count,
    identical: (password, count) => !new RegExp(`(.)\\1{${count}}`, 'su').test(password),
  }
  /** Long enough that nobody hears every key they press. */
  const SPEAK_AFTER_MS = 800

  for (const list of document.querySelectorAll('[data-password-rules]')) {
    const input = document.getElementById(list.dataset.passwordRules)
    const status = list.querySelector('[role=status]')
    const items = [...list.querySelectorAll('[data-rule]')]
    const judged = items.filter((item) => item.dataset.rule in RULES)
    const isMet = ({ dataset }) => RULES[dataset.rule](input.value, Number(dataset.count))
    let timer
    const speak = () => {
      const open = judged.filter((item) => !isMet(item)).map((item) => item.lastElementChild.textContent)
      status.textContent = open.length > 0 ? `${status.dataset.missing} ${open.join(', ')}` : status.dataset.done
    }
    input.addEventListener('input', () => {
      // What the server found wrong was another password.
      for (const item of items) {
        item.removeAttribute('data-state')
        if (item.childElementCount > 1) item.firstElementChild.remove()
      }
      for (const item of judged) if (input.value && isMet(item)) item.dataset.state = 'met'
      clearTimeout(timer)
      if (input.value && judged.length > 0) timer = setTimeout(speak, SPEAK_AFTER_MS)
    })
  }

  /** As in components/when.tsx, in the time zone of the browser. */
  const EXACT = {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }

  for (const time of document.querySelectorAll('time[data-local]')) {
    const words = new Intl.DateTimeFormat(time.closest('[lang]').lang, EXACT)
    time.textContent = words.format(new Date(time.dateTime))
  }

  for (const button of document.querySelectorAll('[data-copy]')) {
    const label = button.textContent
    button.hidden = !navigator.clipboard
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent)
      button.textContent = button.dataset.done
      setTimeout(() => {
        button.textContent = label
      }, 2000)
    })
  }

  for (const button of document.querySelectorAll('[data-print]')) {
    button.hidden = false
    button.addEventListener('click', () => print())
  }

  for (const wait of document.querySelectorAll('[data-countdown]')) {
    const button = wait.parentElement.querySelector('button')
    const until = performance.now() + Number(wait.dataset.countdown) * 1000
    const tick = () => {
      const left = Math.ceil((until - performance.now()) / 1000)
      button.disabled = left > 0
      if (left <= 0) return wait.remove()
      wait.textContent = wait.textContent.replace(/\d+/, left)
      setTimeout(tick, 1000)
    }
    tick()
  }

  const ASK_EVERY_MS = 3000
  const waiting = document.querySelector('[data-waiting]')

  /** Presses the button that whoever has no script presses by hand. */
  const goOn = () => {
    const form = waiting.closest('form')
    if (form) form.requestSubmit(form.querySelector('[name=action]'))
    else location.reload()
  }

  /** What this page would say now: whether it still waits. */
  const look = async () => {
    if (document.hidden) return setTimeout(look, ASK_EVERY_MS)
    const answer = await fetch(location.href, { redirect: 'manual' }).catch(() => null)
    if (answer?.ok && !(await answer.text()).includes('data-waiting')) return goOn()
    if (answer && !answer.ok && answer.status < 429) return location.reload()
    setTimeout(look, ASK_EVERY_MS)
  }

  if (waiting) setTimeout(look, ASK_EVERY_MS)
})()
