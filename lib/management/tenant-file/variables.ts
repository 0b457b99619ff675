// `@@NAME@@` and `##NAME##` in a tenant file, replaced before the YAML is parsed, as by the vendor's Deploy CLI: `@@NAME@@` (with
// or without quotes around it) becomes the value as JSON, `##NAME##` the bare text.
// An unset variable leaves a mark instead of failing at once: exports contain variables in sections that are not applied here.
// Only a mark that would be applied is an error, which can then name its place.
export type Variables = Readonly<Record<string, string | undefined>>

const MARKER = /(["']?)@@([A-Za-z_][A-Za-z0-9_]*)@@\1|##([A-Za-z_][A-Za-z0-9_]*)##/g

/** A byte order mark and the last line breaks are of the file that held the value, not of the value. */
const OF_FILE = /^\ufeff|[\r\n]+$/g

/** Private-use characters: allowed in YAML, but not used in configurations. */
const OPEN = '\uE0F0'
const CLOSE = '\uE0F1'
const MARK = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`)

export const replaceVariables = (text: string, variables: Variables): string =>
  text.replace(MARKER, (_, _quote: string, json: string | undefined, bare: string | undefined) => {
    const name = json ?? bare ?? ''
    const value = variables[name]?.replace(OF_FILE, '') ?? `${OPEN}${name}${CLOSE}`
    return json === undefined ? value : asJson(value)
  })

/** A value that is a JSON list or object is inserted as such; every other value as a string. */
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

/** The name of an unset variable in this text. */
export const unsetVariable = (text: string): string | undefined => MARK.exec(text)?.[1]
