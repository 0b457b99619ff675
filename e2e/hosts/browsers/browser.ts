// What the walks ask of a browser, whichever protocol drives it. Elements are named by CSS selectors.

export type Browser = {
  name: string
  version: string
  goto(url: string): Promise<void>
  url(): Promise<string>
  /** What a person reads on the page. */
  text(): Promise<string>
  /** Types into a field what takes the place of what is in it. */
  fill(selector: string, text: string): Promise<void>
  click(selector: string): Promise<void>
  clearCookies(): Promise<void>
  /** What the console reported as errors so far; null where the protocol does not tell. */
  errors(): readonly string[] | null
  close(): Promise<void>
}
