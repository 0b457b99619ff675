// The operations that the tests need from a browser, whichever protocol drives it. CSS selectors identify elements.

export type Browser = {
  name: string
  version: string
  goto(url: string): Promise<void>
  url(): Promise<string>
  /** The visible text of the page. */
  text(): Promise<string>
  /** Replaces the content of a field. */
  fill(selector: string, text: string): Promise<void>
  click(selector: string): Promise<void>
  clearCookies(): Promise<void>
  /** Console errors so far; null if the protocol does not report them. */
  errors(): readonly string[] | null
  close(): Promise<void>
}
