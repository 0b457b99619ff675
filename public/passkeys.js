/*
 * Passkeys and security keys on the hosted pages (WebAuthn). A page has every value that the browser needs; the answer of the browser
 * is put into the page's own form, which is then sent as any other. Nothing is stored, decided or fetched here.
 */
;(() => {
  const { SimpleWebAuthnBrowser: webAuthn } = window
  if (!webAuthn?.browserSupportsWebAuthn()) return

  webAuthn.platformAuthenticatorIsAvailable().then((available) => {
    for (const input of document.querySelectorAll('[data-passkey-capability]')) input.value = available ? 'true' : ''
  })

  /** A signal is a hint; a browser without it keeps what it has. */
  const signal = (options) => webAuthn.sendSignal(options).catch(() => {})

  const optionsOf = ({ dataset }) => ({ ...JSON.parse(dataset.options), challenge: dataset.challenge })

  /** The name under which the authenticator lists a new account. */
  const named = (options, form) => {
    const typed = form.elements.username?.value || form.elements.email?.value
    if (!typed || options.user.name) return options
    return { ...options, user: { ...options.user, name: typed, displayName: typed } }
  }

  const answer = (place, response) => {
    const form = place.closest('form')
    form.elements.passkey_response.value = JSON.stringify(response)
    form.requestSubmit(place.querySelector('[type=submit]'))
  }

  const isMissing = (input) => input.type !== 'password' && input.willValidate && !input.checkValidity()

  for (const place of document.querySelectorAll('[data-passkey]')) {
    const { passkey: does, autofill, quiet, stray } = place.dataset
    const form = place.closest('form')
    const status = place.querySelector('[role=status]')
    const button = place.querySelector('[type=button]')
    const optionsJSON = optionsOf(place)
    const rpID = optionsJSON.rpId ?? optionsJSON.rp?.id

    /** Only one request of a page can be under way: the library ends this one before the button starts another. */
    const suggest = async () => {
      if (autofill === undefined || !(await webAuthn.browserSupportsWebAuthnAutofill())) return
      const response = await webAuthn.startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => null)
      if (response) answer(place, response)
    }

    const start = async () => {
      status.textContent = ''
      const wrong = does === 'create' && [...form.elements].find(isMissing)
      if (wrong) return wrong.reportValidity()
      button.disabled = true
      try {
        const response =
          does === 'create'
            ? await webAuthn.startRegistration({ optionsJSON: named(optionsJSON, form) })
            : await webAuthn.startAuthentication({ optionsJSON })
        answer(place, response)
      } catch {
        status.textContent = status.dataset.failed
        void suggest()
      }
      button.disabled = false
    }

    place.hidden = quiet !== undefined
    button.addEventListener('click', start)
    // First the signal: the browser would suggest the removed credential again.
    void (stray === undefined
      ? suggest()
      : signal({ signalName: 'unknownCredential', rpID, credentialID: stray }).then(suggest))
  }

  for (const { dataset } of document.querySelectorAll('[data-passkey-signals]')) {
    for (const { rpId: rpID, handle: userID, ids, name, displayName } of JSON.parse(dataset.passkeySignals)) {
      signal({ signalName: 'allAcceptedCredentials', rpID, userID, allAcceptedCredentialIDs: ids })
      signal({ signalName: 'currentUserDetails', rpID, userID, userName: name, userDisplayName: displayName })
    }
  }
})()
