// The end of a page after its form: a navigation of the browser, not of Next, to the sign-in and from a document that showed a secret.

const departures = new WeakMap<object, Promise<void>>()
let hasSecret = false

/** The document shows a secret: it is left by a navigation of the browser, so that nothing of it stays. */
export const noteSecret = (): void => {
  hasSecret = true
}

export const showedSecret = (): boolean => hasSecret

/** Pending for as long as the page is shown; it is over where the browser brings the page back from its cache. */
export function leaving(state: { to: string }): Promise<void> {
  const known = departures.get(state)
  if (known !== undefined) return known
  const departure = new Promise<void>((resolve) => {
    window.addEventListener('pageshow', () => resolve(), { once: true })
    window.location.assign(state.to)
  })
  departures.set(state, departure)
  return departure
}
