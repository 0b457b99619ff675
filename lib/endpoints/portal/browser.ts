// The browser and the operating system that a User-Agent header names.
import Bowser from 'bowser'

type Named = { browser?: string; system?: string }

/** Without what the header does not say, or says in a form that is unknown. */
export function browserOf(userAgent: string | null): Named {
  if (!userAgent) return {}
  const { browser, os } = Bowser.parse(userAgent)
  return { ...(browser.name ? { browser: browser.name } : {}), ...(os.name ? { system: os.name } : {}) }
}
