// `@@NAME@@` and `##NAME##` in a tenant file, as the vendor's Deploy CLI replaces them before the YAML is read:
// `@@NAME@@` (with or without quotes around it) becomes the value as JSON, `##NAME##` the bare text.
// A variable that is not set leaves a mark instead of failing at once: exports hold markers in sections that mean
// nothing here, and only a mark that would be applied is an error, which then can name its place.
export type Variables = Readonly<Record<string, string | undefined>>

const MARKER = /(["']?)@@([A-Za-z_][A-Za-z0-9_]*)@@\1|##([A-Za-z_][A-Za-z0-9_]*)##/g

/** Private-use characters: allowed in YAML, never in anybody's configuration. */
const OPEN = '\uE0F0'
const CLOSE = '\uE0F1'
const MARK = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`)

export const replaceVariables = (text: string, variables: Variables): string =>
  text.replace(MARKER, (_, _quote: string, json: string | undefined, bare: string | undefined) => {
    const name = json ?? bare ?? ''
    const value = variables[name] ?? `${OPEN}${name}${CLOSE}`
    return json === undefined ? value : asJson(value)
  })

/** A value that is itself a JSON list or object goes in as one; every other is a string. */
function asJson(value: string): string {
  if (/^\s*[[{]/.test(value)) {
    try {
      return JSON.stringify(JSON.parse(value))
    } catch {
      return JSON.stringify(value)
    }
  }
  return JSON.stringify(value)
}

/** The name of a variable that this text needed and that was not set. */
export const unsetVariable = (text: string): string | undefined => MARK.exec(text)?.[1]
