// The User-Agent header: as it is stored, and what it names.
const MAX_LENGTH = 500

/** Bounded, and without halves of surrogate pairs, which PostgreSQL refuses. */
export const storedUserAgent = (header: string | undefined): string | null =>
  header?.slice(0, MAX_LENGTH).toWellFormed() ?? null

export type NamedBrowser = { browser?: string; system?: string }

/** The browser and the operating system that the header names, without what it does not say, or says in a form that is unknown. */
export async function browserOf(header: string | null): Promise<NamedBrowser> {
  if (!header) return {}
  const { default: Bowser } = await import('bowser')
  const { browser, os } = Bowser.parse(header)
  return { ...(browser.name ? { browser: browser.name } : {}), ...(os.name ? { system: os.name } : {}) }
}
