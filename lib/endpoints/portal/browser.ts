// The browser and the operating system that a User-Agent header names.

type Named = { browser?: string; system?: string }

/** Without what the header does not say, or says in a form that is unknown. */
export async function browserOf(userAgent: string | null): Promise<Named> {
  if (!userAgent) return {}
  const { default: Bowser } = await import('bowser')
  const { browser, os } = Bowser.parse(userAgent)
  return { ...(browser.name ? { browser: browser.name } : {}), ...(os.name ? { system: os.name } : {}) }
}
