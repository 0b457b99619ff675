// The end of a page after its form: a navigation of the browser, not of Next, so that the next page is as new as after a native post.

const departures = new WeakMap<object, Promise<void>>()

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
